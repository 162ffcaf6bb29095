"""Webhook subscriptions."""

from __future__ import annotations

from acctcli.service.routes.route import INTEGRATIONS, MODELS, ONE_BUSINESS, Route, resource


def _with_secret(route: Route) -> Route:
    """Return creation as the one reply that carries the signing secret."""
    if route.method != "POST":
        return route
    return route._replace(response=f"{MODELS}.webhook:NewWebhookSubscription", sealed=True)


WEBHOOKS = tuple(
    map(
        _with_secret,
        resource(
            "webhook",
            "subscription",
            f"{ONE_BUSINESS}webhook_subscriptions/",
            "webhook subscription",
            models=("webhook:WebhookRequest", "webhook:WebhookSubscription"),
            read=INTEGRATIONS,
            write=INTEGRATIONS,
        ),
    )
)
