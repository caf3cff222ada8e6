"""The lessons' algorithms and examples, small enough to be exact: one module a topic.

`numerics.lessons.numbers` recomputes every number that the lessons print, and
`numerics.lessons.claims` gives each loose sentence its precise version with a computed example.
Everything is float64 and in nats.
"""
