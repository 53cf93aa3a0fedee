import type { Destination } from "./navigation.ts";

// Apart from the entries of header and footer, which every visitor downloads.

/** For a school's whole list. */
export const bulkOrder: Destination = { label: "Bulk Orders", to: "/bulk-order" };

/** For parents: what a class needs. */
export const booklists: Destination = { label: "Booklists", to: "/lists" };
