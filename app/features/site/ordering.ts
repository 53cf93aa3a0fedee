import type { Destination } from "./navigation.ts";

// Apart from the entries of header and footer, which every visitor downloads.

/** A school's whole list. */
export const bulkOrder: Destination = { label: "Bulk Orders", to: "/bulk-order" };

/** What a class needs, for parents. */
export const booklists: Destination = { label: "Booklists", to: "/lists" };
