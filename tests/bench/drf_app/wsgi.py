"""What gunicorn serves."""

# mypy: ignore-errors
# Django ships no types

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "drf_app.settings")
application = get_wsgi_application()
