"""The lab: any book with any line moved, priced exactly. It knows books and figures, no table and no HTTP."""
