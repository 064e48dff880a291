"""What the screens share: state, sidebar, cached calls, small widgets."""
