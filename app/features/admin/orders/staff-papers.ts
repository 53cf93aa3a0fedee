/** The papers that staff print for orders, by their names in URLs. */
export const staffPapers = {
  "packing-list": "Packing list",
  "delivery-note": "Delivery note",
  invoice: "Invoice",
} as const;

export type StaffPaper = keyof typeof staffPapers;

/** The paper named in a URL; a packing list by default. */
export function readStaffPaper(name: string | undefined): StaffPaper {
  return name !== undefined && Object.hasOwn(staffPapers, name) ? (name as StaffPaper) : "packing-list";
}

/** The URL of the page that prints a paper for each of these orders. */
export function papersPath(orders: readonly { id: string }[], paper: StaffPaper): string {
  return `/admin/orders/${orders.map(({ id }) => id).join(",")}/${paper}`;
}
