"""What reports are made of: SQL only. Days are inclusive, amounts cents; every statement names the business."""
