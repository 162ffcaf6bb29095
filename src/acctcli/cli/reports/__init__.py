"""Reports as people and machines want them: checked, then as a table, rows, a workbook, a page or on paper."""
