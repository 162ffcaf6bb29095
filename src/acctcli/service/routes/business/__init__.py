"""Addresses below `/v1/business/`: the module of an address has the name of its first word after the business."""
