//! The tests of this package hold the architecture; there is nothing to link.
