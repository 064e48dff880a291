"""Is the promise kept? Exactly, house by house, and by experiment."""

from rtp.audit.exact import ExactLoss, exact_loss, exact_losses

__all__ = ["ExactLoss", "exact_loss", "exact_losses"]
