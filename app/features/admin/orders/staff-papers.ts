/** What staff print of orders, by the names that addresses use. */
export const staffPapers = {
  "packing-list": "Packing list",
  "delivery-note": "Delivery note",
  invoice: "Invoice",
} as const;

export type StaffPaper = keyof typeof staffPapers;

/** The paper that an address asks for; a packing list unless it names another. */
export function readStaffPaper(name: string | undefined): StaffPaper {
  return name !== undefined && Object.hasOwn(staffPapers, name) ? (name as StaffPaper) : "packing-list";
}

/** The page that prints a paper of these orders, one after the other. */
export function papersPath(orders: readonly { id: string }[], paper: StaffPaper): string {
  return `/admin/orders/${orders.map(({ id }) => id).join(",")}/${paper}`;
}
