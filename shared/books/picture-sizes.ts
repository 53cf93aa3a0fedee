import { COVER_SIZES } from "./cover-sizes.ts";

/** Widths in pixels in which the shop serves an event's own picture as WebP: for lists, for its page, for sharp screens. */
export const EVENT_PICTURE_WIDTHS = [480, 800, 1200];

/** For search engines and link previews. */
export const EVENT_PREVIEW_SIZE = "1200.jpg";

const EVENT_PICTURE_SIZES = ["480.webp", "800.webp", "1200.webp", EVENT_PREVIEW_SIZE];

/** Whether a file of the bucket book-covers is an event's picture (events_picture_is_of_an_event in the database). */
export const isEventPicture = (name: string) => /^event-picture-\d{13}\.jpg$/.test(name);

/** Every size that is made of a file of the bucket book-covers, the smallest first, as the last part of its URL. */
export const sizesOf = (name: string) => (isEventPicture(name) ? EVENT_PICTURE_SIZES : COVER_SIZES);

/** Height of its sizes for a width of 1. */
export const heightOf = (name: string) => (isEventPicture(name) ? 2 / 3 : 4 / 3);

/** Where this site serves an event's picture in a size that it makes itself (server/web/small-covers.ts). */
export const eventPictureUrl = (name: string, size: string) => `/covers/${name}/${size}`;
