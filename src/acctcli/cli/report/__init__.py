"""Reports: asked for, checked, and shown in many forms."""
