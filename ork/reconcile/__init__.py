"""The one story of one object, told by simulate and run alike. It does not know who called it."""
