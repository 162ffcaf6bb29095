"""Make the tables, a user with a token and a business: `python -m drf_app.seed TOKEN SLUG ACCOUNTS`.

Prints the ids of three accounts of the chart: bank, fees, sales; and of the VAT account.
"""

# mypy: ignore-errors
# Django ships no types

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "drf_app.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from drf_app.models import Account, Business, Membership  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402

CHART = {"1910": "ASS_PAY", "8500": "EXP", "3000": "REV_SAL", "2939": "LIA_VAT"}


def main(token: str, slug: str, accounts: int) -> None:
    """Fill the database."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    user = User.objects.create(username="bench")
    Token.objects.create(user=user, key=token)
    business = Business.objects.create(slug=slug)
    Membership.objects.create(user=user, business=business)
    numbers = [*CHART, *(str(1_000_000 + index) for index in range(accounts - len(CHART)))]
    Account.objects.bulk_create([_account(business, number) for number in numbers], batch_size=1000)
    print(*(Account.objects.get(number=number).id for number in CHART))


def _account(business, number):
    names = [{"key": key, "value": f"Account {number}"} for key in ("fi", "sv", "en", "de")]
    return Account(
        business=business,
        number=number,
        padded_number=int(number.ljust(7, "0")),
        name=f"Account {number}",
        name_translations=names,
        type=CHART.get(number, "EXP"),
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
