"""Thin adapters to loss functions of other libraries, where argument mapping does not reach them."""
