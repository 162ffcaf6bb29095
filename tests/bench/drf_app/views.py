"""List accounts, create a document with its entries."""

# mypy: ignore-errors
# Django ships no types

from decimal import Decimal

from django.db import transaction
from django.db.models import Max
from drf_app.models import Account, Document, Entry
from rest_framework import generics, serializers


class AccountSerializer(serializers.ModelSerializer):
    """An account as lists show it."""

    class Meta:
        """The list item's fields."""

        model = Account
        fields = (
            *("id", "created_at", "updated_at", "number", "padded_number", "name", "name_translations"),
            *("header_id", "header_path", "description", "type", "default_vat_code"),
            *("default_vat_rate_label", "default_vat_rate", "opening_balance", "is_shown"),
        )


class EntrySerializer(serializers.ModelSerializer):
    """A line; its account is checked for all lines at once."""

    account = serializers.IntegerField(source="account_id", min_value=1)

    class Meta:
        """The entry's fields."""

        model = Entry
        fields = ("id", "account", "amount", "is_debet", "description", "vat_code", "vat_rate")


class DocumentSerializer(serializers.ModelSerializer):
    """A document with its entries."""

    entries = EntrySerializer(many=True)

    class Meta:
        """The document's fields."""

        model = Document
        fields = ("id", "created_at", "updated_at", "date", "number", "description", "balance", "entries")
        read_only_fields = ("number", "balance")

    def validate_entries(self, entries):
        """Refuse what does not balance and accounts of other businesses."""
        if sum(_signed(entry) for entry in entries) != 0:
            raise serializers.ValidationError("Debit and credit differ.")
        wanted = {entry["account_id"] for entry in entries}
        accounts = Account.objects.filter(business=self.context["business"], id__in=wanted)
        self.types = dict(accounts.values_list("id", "type"))
        if wanted - self.types.keys():
            raise serializers.ValidationError("Unknown account.")
        return entries

    @transaction.atomic
    def create(self, validated_data):
        """Number the document and store it with its entries."""
        entries = validated_data.pop("entries")
        business, day = self.context["business"], validated_data["date"]
        last = Document.objects.filter(business=business, date=day).aggregate(last=Max("sequence"))["last"]
        sequence = (last or 0) + 1
        balance = sum((_signed(e) for e in entries if self.types[e["account_id"]] == "ASS_PAY"), Decimal(0))
        document = Document.objects.create(
            business=business,
            sequence=sequence,
            number=f"{day:%y%m%d}-{sequence}",
            balance=balance,
            **validated_data,
        )
        rows = Entry.objects.bulk_create(Entry(document=document, **entry) for entry in entries)
        document._prefetched_objects_cache = {"entries": rows}
        return document


def _signed(entry):
    return entry["amount"] if entry["is_debet"] else -entry["amount"]


class AccountList(generics.ListAPIView):
    """A page of accounts."""

    serializer_class = AccountSerializer

    def get_queryset(self):
        """Return the business's accounts by number."""
        return Account.objects.filter(business=self.membership.business).order_by("padded_number", "id")


class DocumentCreate(generics.CreateAPIView):
    """A new document."""

    serializer_class = DocumentSerializer

    def get_serializer_context(self):
        """Hand the business to the serializer."""
        return {**super().get_serializer_context(), "business": self.membership.business}
