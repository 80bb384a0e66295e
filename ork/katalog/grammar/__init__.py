"""What documents may say, as data: the decoder, the shipped JSON Schemas and `ork explain` all read these tables.

Nothing here reads a file or evaluates anything.
"""
