"""Pages on which people sign in, let apps in, and keep their account: plain HTML, without scripts."""
