import type { Duty } from "#app/features/session/duties.ts";

/** Each duty's name, and what it allows. */
export const dutyTexts: Record<Duty, { name: string; may: string }> = {
  orders: {
    name: "Orders",
    may: "See orders with names, addresses and phone numbers; change, print and ship them; take phone orders.",
  },
  payments: {
    name: "Payments",
    may: "See and record payments, match statements, decide on payments in doubt, close days.",
  },
  stock: {
    name: "Stock",
    may: "Stock cards and corrections, counts, suppliers, purchases, receiving.",
  },
  catalogue: {
    name: "Catalogue",
    may: "Add and change books with prices and stock, covers, imports, publishers.",
  },
  schools: { name: "Schools", may: "Booklists, quotes and consultations." },
  reviews: { name: "Reviews", may: "See reviews with their authors, and hide or show them." },
  reports: { name: "Reports", may: "Sales, takings, what customers owe, and demand." },
  people: { name: "People", may: "The list of accounts with names, emails and phone numbers." },
  events: { name: "Events", may: "Plan, publish and cancel events, and see who has registered." },
  settings: { name: "Settings", may: "The shop's texts, fees, limits and legal pages." },
  exports: {
    name: "Exports",
    may: "Download lists with customers' data: orders, payments, users, reports by customer.",
  },
  refunds: { name: "Refunds", may: "Refund payments and record refunds. Needs Payments." },
  deletions: {
    name: "Deletions",
    may: "Delete and restore orders, books, publishers and reviews, each with the duty that shows them.",
  },
};

/** Those that only add to other duties. */
export const addedDuties: readonly Duty[] = ["exports", "refunds", "deletions"];

const inWords = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** 'Catalogue or Stock' */
export const dutyNames = (duties: readonly Duty[]) =>
  inWords.format(duties.map((duty) => dutyTexts[duty].name));
