"""Thin adapters to other libraries' losses, where argument mapping does not reach them."""
