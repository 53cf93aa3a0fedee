import { readGroups } from "./groups.ts";

/**
 * The features in four groups. A feature imports features of the groups that its own group names, and those before it in
 * its own group. A new folder in app/features is added here.
 */
export const featureGroups = readGroups({
  /** What any feature may need: the session, saved copies, whom and where an order goes to, the law's pages. */
  ground: { imports: [], folders: ["offline", "session", "own-lists", "delivery", "law"] },
  /** What the shop sells. */
  books: { imports: ["ground"], folders: ["book-covers", "publishers", "books", "reviews"] },
  /** What customers do: choose, order, pay, and look after their account. */
  buying: {
    imports: ["ground", "books"],
    folders: [
      "wishlist",
      "stock-alerts",
      "cart",
      "account",
      "catalogue",
      "suggestions",
      "site",
      "book-page",
      "publisher-pages",
      "home",
      "search",
      "about",
      "contact",
      "payments",
      "orders",
      "documents",
      "checkout",
    ],
  },
  /** What schools do, and parents with a school's list. */
  school: {
    imports: ["ground", "books", "buying"],
    folders: ["booklists", "bulk-order", "quotes", "events", "consultations"],
  },
});
