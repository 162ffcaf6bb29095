"""The charts of accounts that new businesses start with."""

from __future__ import annotations

from acctcli.service.rules.chart.account import Chart, ChartAccount
from acctcli.service.rules.chart.finland import FINNISH_CHART
from acctcli.service.rules.chart.germany import GERMAN_CHART

__all__ = ["FINNISH_CHART", "GERMAN_CHART", "Chart", "ChartAccount", "default_chart"]


def default_chart(country: str) -> Chart:
    """Return the chart of a country; demo businesses behave as Finnish ones (wire facts 2.3)."""
    return GERMAN_CHART if country == "DE" else FINNISH_CHART
