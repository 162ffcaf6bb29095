"""What leaves the service: mail to a configured server, and everything else into a folder of this machine."""
