"""What stands behind `invoice`: options, customers, rows, credit notes, deliveries, papers, receivables by age."""
