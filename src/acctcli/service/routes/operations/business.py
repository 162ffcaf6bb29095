"""Businesses and their identifiers."""

from __future__ import annotations

from acctcli.service.routes.route import ADMIN, MEMBER, MODELS, ONE_BUSINESS, PAGING, ROUTES, Parameter, Route, resource

BUSINESS_BODY = f"{MODELS}.business:BusinessRequest"
BUSINESS_REPLY = f"{MODELS}.business:Business"

BUSINESS = (
    Route(
        "GET",
        "/v1/business/",
        f"{ROUTES}.business:list_businesses",
        "List the caller's businesses.",
        response=BUSINESS_REPLY,
        shape="page",
        query=(*PAGING, Parameter("search", "string", "Name, slug or identifier value.")),
    ),
    Route(
        "POST",
        "/v1/business/",
        f"{ROUTES}.business:create_business",
        "Create a business with the default chart of accounts.",
        status=201,
        forms=True,
        request=BUSINESS_BODY,
        response=BUSINESS_REPLY,
    ),
    Route(
        "GET",
        ONE_BUSINESS,
        f"{ROUTES}.business:get_business",
        "Show a business.",
        response=BUSINESS_REPLY,
    ),
    Route(
        "PUT",
        ONE_BUSINESS,
        f"{ROUTES}.business:replace_business",
        "Replace the settings of a business.",
        needs=ADMIN,
        forms=True,
        request=BUSINESS_BODY,
        response=BUSINESS_REPLY,
    ),
    Route(
        "PATCH",
        ONE_BUSINESS,
        f"{ROUTES}.business:update_business",
        "Change settings of a business.",
        needs=ADMIN,
        partial=True,
        forms=True,
        request=BUSINESS_BODY,
        response=BUSINESS_REPLY,
    ),
    Route(
        "DELETE",
        ONE_BUSINESS,
        f"{ROUTES}.business:delete_business",
        "Delete a business with all its data.",
        needs=ADMIN,
        shape="none",
        status=204,
    ),
    Route(
        "GET",
        f"{ONE_BUSINESS}me/permissions/",
        f"{ROUTES}.user:get_permissions",
        "Show what the caller may do in this business.",
        response=f"{MODELS}.user:BusinessPermissions",
    ),
)


IDENTIFIERS = resource(
    "identifiers",
    "identifier",
    f"{ONE_BUSINESS}identifiers/",
    "business identifier",
    models=("business:IdentifierRequest", "business:Identifier"),
    read=MEMBER,
    write=ADMIN,
)
