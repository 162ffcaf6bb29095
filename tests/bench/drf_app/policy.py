"""Who may ask, and how lists are cut into pages."""

# mypy: ignore-errors
# Django ships no types

from drf_app.models import Membership
from rest_framework import pagination, permissions
from rest_framework.response import Response


class IsMember(permissions.IsAuthenticated):
    """The caller belongs to the business of the path."""

    def has_permission(self, request, view):
        """Look the membership up and keep its business for the view."""
        if not super().has_permission(request, view):
            return False
        slug = view.kwargs["slug"]
        found = Membership.objects.select_related("business").filter(user=request.user, business__slug=slug)
        view.membership = found.first()
        return view.membership is not None


class Pages(pagination.PageNumberPagination):
    """The interface's envelope."""

    page_size = 30
    page_size_query_param = "page_size"
    max_page_size = 200

    def get_paginated_response(self, data):
        """Put page numbers around the rows."""
        page = self.page
        envelope = {
            "count": page.paginator.count,
            "next": page.next_page_number() if page.has_next() else None,
            "prev": page.previous_page_number() if page.has_previous() else None,
            "size": page.paginator.per_page,
            "results": data,
        }
        return Response(envelope)
