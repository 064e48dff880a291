"""Is the promise kept? Exactly, house by house, and by experiment."""

from rtp.audit.exact import Account, account, accounts

__all__ = ["Account", "account", "accounts"]
