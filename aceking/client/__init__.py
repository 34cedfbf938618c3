"""The typed client of a house: `from aceking.client import House`."""

from aceking.client.house import House, HouseError, Live, RequestRefusedError

__all__ = ["House", "HouseError", "Live", "RequestRefusedError"]
