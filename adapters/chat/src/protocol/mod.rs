//! What goes back and forth between a platform and the product.

pub(crate) mod brought;
pub(crate) mod card;
pub(crate) mod case;
pub(crate) mod debug;
pub(crate) mod event;
pub(crate) mod link;
pub(crate) mod place;
pub(crate) mod redacted;
pub(crate) mod reply;
pub(crate) mod sheet;
pub(crate) mod token;
pub(crate) mod views;
