"""Speed, measured as ratios in one run. Times on a shared machine do not travel; ratios do."""
