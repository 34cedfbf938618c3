"""The lab: any book with any line moved, priced exactly. It uses books and figures, no table and no HTTP."""
