"""Pictures of the report: inline SVG, drawn without a browser."""
