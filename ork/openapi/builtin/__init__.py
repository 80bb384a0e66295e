"""What a real API server does to objects of its own kinds beyond their schemas: how it reads them, and what it refuses.

`ork.openapi.kubernetes` is the door.
"""
