import { lawPages } from "#app/features/law/law-pages.ts";

export type Destination = { label: string; to: string };

/** The entries of header, mobile menu and footer. */
export const home: Destination = { label: "Home", to: "/" };
export const about: Destination = { label: "About Us", to: "/about" };
export const shopBooks: Destination = { label: "Shop Books", to: "/shop" };
export const contact: Destination = { label: "Contact Us", to: "/contact" };

export const PRODUCTS_AND_SERVICES = "Products & Services";

export const guidance: Destination = { label: "Resource Selection Guidance", to: "/guidance" };
export const events: Destination = { label: "Events and Trainings", to: "/events" };
export const services: readonly Destination[] = [guidance, events];

/** For parents: what a class needs. */
export const booklists: Destination = { label: "School booklists", to: "/lists" };
/** For a school's whole list. */
export const bulkOrder: Destination = { label: "Bulk orders", to: "/bulk-order" };
export const ORDERING = "For schools and parents";
export const ordering: readonly Destination[] = [booklists, bulkOrder];

export const allPublishers: Destination = { label: "All publishers", to: "/products" };

/** The master search's URL for a text; spaces are encoded as %20. */
export function searchPath(query: string, { tab = "", sort = "" } = {}): string {
  return `/search?q=${encodeURIComponent(query.toWellFormed())}${tab && `&tab=${tab}`}${sort && `&sort=${sort}`}`;
}

/** The pages in the sitemap, beside those of publishers. */
export const publicPages: readonly Destination[] = [
  home,
  about,
  shopBooks,
  contact,
  ...ordering,
  ...services,
  ...lawPages,
];
