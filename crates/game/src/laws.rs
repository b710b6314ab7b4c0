//! Laws that a position of any game must obey.
