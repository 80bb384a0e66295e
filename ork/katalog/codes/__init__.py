"""Every finding code: what it means, how it comes about, and how the text is right. One module for each range.

Only `ork explain` and the documentation load this; nothing here decides anything.
"""
