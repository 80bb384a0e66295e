"""`ork run`: informers feed a work queue, workers tell `ork.reconcile`'s story, the kordinator keeps the books.

Data flows one way: watch → informer → cache and event router → queue → worker → handle → outcome → health.
"""
