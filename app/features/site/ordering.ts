import type { Destination } from "./navigation.ts";

/** The page for a school's whole list. Apart from the header's and footer's entries, which every visitor downloads. */
export const bulkOrder: Destination = { label: "Bulk Orders", to: "/bulk-order" };
