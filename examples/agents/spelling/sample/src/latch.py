def latch():
    """Closes the door untill somebody opens it; the preopen stays."""
