/** Widths in pixels in which the shop serves an uploaded cover as WebP: for lists, for cards, for cards on phones, for the book's page. */
export const COVER_WIDTHS = [160, 300, 400, 600];

/** For link previews: not every messenger takes a WebP. */
export const PREVIEW_SIZE = "600.jpg";

/** Every size that is made, as the last part of its URL. */
export const COVER_SIZES = ["160.webp", "300.webp", "400.webp", "600.webp", PREVIEW_SIZE];
