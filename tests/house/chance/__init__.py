"""Statistical tests of the shuffle, over any number of deals or over the record of real play."""
