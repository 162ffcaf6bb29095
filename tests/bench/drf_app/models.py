"""Businesses, accounts, documents and entries."""

# mypy: ignore-errors
# Django ships no types

from django.conf import settings
from django.db import models


class Business(models.Model):
    """A company's books."""

    slug = models.SlugField(max_length=16, unique=True)


class Membership(models.Model):
    """Who may work in a business."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    business = models.ForeignKey(Business, on_delete=models.CASCADE)
    permission = models.CharField(max_length=32, default="admin")

    class Meta:
        """One role per person."""

        constraints = [models.UniqueConstraint(fields=["user", "business"], name="one_membership")]  # noqa: RUF012


class Stamped(models.Model):
    """When a row was made and changed."""

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        """No table of its own."""

        abstract = True


class Account(Stamped):
    """An account of the chart."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE)
    number = models.CharField(max_length=7)
    padded_number = models.IntegerField()
    name = models.CharField(max_length=256)
    name_translations = models.JSONField(default=list)
    header_id = models.BigIntegerField(null=True)
    header_path = models.JSONField(default=list)
    description = models.TextField(null=True)
    type = models.CharField(max_length=16, default="EXP")
    default_vat_code = models.IntegerField(default=3)
    default_vat_rate_label = models.CharField(max_length=16, default="zero")
    default_vat_rate = models.DecimalField(max_digits=5, decimal_places=2, default=0)
    opening_balance = models.DecimalField(max_digits=19, decimal_places=2, default=0)
    is_shown = models.BooleanField(default=True)

    class Meta:
        """Lists come in the order of numbers, from an index."""

        indexes = [models.Index(fields=["business", "padded_number", "id"])]  # noqa: RUF012
        constraints = [models.UniqueConstraint(fields=["business", "number"], name="one_number")]  # noqa: RUF012


class Document(Stamped):
    """A posted document."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE)
    date = models.DateField()
    sequence = models.IntegerField()
    number = models.CharField(max_length=16)
    description = models.CharField(max_length=256, blank=True, default="")
    balance = models.DecimalField(max_digits=19, decimal_places=2)

    class Meta:
        """Numbers run per day."""

        constraints = [  # noqa: RUF012
            models.UniqueConstraint(fields=["business", "date", "sequence"], name="one_sequence")
        ]


class Entry(Stamped):
    """A line of a document."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="entries")
    account = models.ForeignKey(Account, on_delete=models.PROTECT)
    amount = models.DecimalField(max_digits=19, decimal_places=2)
    is_debet = models.BooleanField()
    description = models.CharField(max_length=256, blank=True, default="")
    vat_code = models.IntegerField(default=3)
    vat_rate = models.DecimalField(max_digits=5, decimal_places=2, default=0)
