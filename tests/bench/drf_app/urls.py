"""The two paths."""

# mypy: ignore-errors
# Django ships no types

from django.urls import path
from drf_app.views import AccountList, DocumentCreate

urlpatterns = [
    path("v1/business/<slug:slug>/account/", AccountList.as_view()),
    path("v1/business/<slug:slug>/document/", DocumentCreate.as_view()),
]
