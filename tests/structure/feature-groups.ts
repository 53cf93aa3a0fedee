/**
 * The features in five groups. A feature imports features of the groups that its own group names, and those before it in
 * its own group. A new folder in app/features is added here.
 */
const featureGroups = {
  /** What any feature may need: the session, saved copies, whom and where an order goes to, the law's pages. */
  ground: { imports: [], features: ["offline", "session", "own-lists", "delivery", "law"] },
  /** What the shop sells. */
  books: { imports: ["ground"], features: ["book-covers", "publishers", "books", "reviews"] },
  /** What customers do: choose, order, pay, and look after their account. */
  buying: {
    imports: ["ground", "books"],
    features: [
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
    features: ["booklists", "bulk-order", "quotes", "events", "consultations"],
  },
  /** What staff do. */
  office: { imports: ["ground", "books", "buying", "school"], features: ["book-import", "admin"] },
} as const satisfies Record<string, { imports: readonly string[]; features: readonly string[] }>;

type Group = { name: string; imports: readonly string[]; features: readonly string[] };

export const groups: readonly Group[] = Object.entries(featureGroups).map(([name, group]) => ({
  name,
  ...group,
}));

export function groupOf(feature: string): Group | undefined {
  return groups.find(({ features }) => features.includes(feature));
}

/** Whether a feature may import another one. */
export function mayImport(feature: string, imported: string): boolean {
  const group = groupOf(feature);
  const other = groupOf(imported);
  if (!group || !other) return false;
  if (group !== other) return group.imports.includes(other.name);
  return group.features.indexOf(imported) <= group.features.indexOf(feature);
}
