/**
 * What staff who aren't admins may do. Each lets them open pages of the back office; the last three add to the others.
 * The database decides (private.duties); a test compares the two lists.
 */
export const DUTIES = [
  "orders",
  "payments",
  "stock",
  "catalogue",
  "schools",
  "reviews",
  "reports",
  "people",
  "events",
  "settings",
  "exports",
  "refunds",
  "deletions",
] as const;

export type Duty = (typeof DUTIES)[number];
