"""Behind the commands on files: uploads, downloads, safe names."""
