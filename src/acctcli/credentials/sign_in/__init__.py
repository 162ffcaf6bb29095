"""Signing in at a login host by OpenID Connect: the code flow with PKCE, and tokens that are renewed.

- `host`: requests to the login host, whose replies may be lost
- `provider`: what the login host says of itself, and its tokens
- `identity`: whether an ID token is what it says
- `flow`: from the address that a browser opens to the sign-in
- `callback`: the address on this machine that the browser comes back to
- `renewing`: one renewal for many processes
"""
