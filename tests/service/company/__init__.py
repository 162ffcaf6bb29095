"""A company's books, kept twice: by the service, and by a model that knows only docs/interface.md."""
