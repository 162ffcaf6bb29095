"""Relations between documents, and suggestions of them."""

from __future__ import annotations

from acctcli.service.routes.operations.document import DOCUMENT_PATH, ONE_DOCUMENT
from acctcli.service.routes.route import BOOKS_READ, BOOKS_WRITE, MODELS, ROUTES, Route, resource

RELATION_PATH = f"{ONE_DOCUMENT}relation/"
SUGGESTIONS = f"{MODELS}.relation:RelationSuggestions"

RELATIONS = (
    *resource(
        "documents.relation",
        "relation",
        RELATION_PATH,
        "relation",
        models=("relation:RelationRequest", "relation:DocumentRelation"),
        read=BOOKS_READ,
        write=BOOKS_WRITE,
    ),
    Route(
        "GET",
        f"{RELATION_PATH}suggestions/",
        f"{ROUTES}.documents.suggestion:suggest_relations",
        "Suggest what a document may be related to.",
        needs=BOOKS_READ,
        response=SUGGESTIONS,
    ),
    Route(
        "POST",
        f"{DOCUMENT_PATH}relation/suggestions/preview/",
        f"{ROUTES}.documents.suggestion:preview_relations",
        "Suggest what a document that does not exist yet may be related to.",
        needs=BOOKS_READ,
        reads=True,
        request=f"{MODELS}.document:PreviewRequest",
        response=SUGGESTIONS,
    ),
)
