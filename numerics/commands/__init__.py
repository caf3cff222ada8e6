"""The commands' bodies; `numerics.cli` registers each module's `command`. Importing them imports no
torch.
"""
