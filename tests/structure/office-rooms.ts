import { readGroups } from "./groups.ts";

const low = ["components", "frame"];

/**
 * The rooms of app/office. A room imports features and the rooms that it names; a folder those before it in its own room,
 * so that no two folders need each other. A new folder in app/office is added here.
 */
export const officeRooms = readGroups({
  /** Only looks. */
  components: { imports: [], folders: ["components"] },
  /** What is around every page, and what several rooms need. */
  frame: {
    imports: ["components"],
    folders: [
      "frame",
      "frame/export",
      "frame/emails",
      "frame/periods",
      "frame/camera",
      "frame/scanning",
      "frame/lines",
      "frame/callers",
    ],
  },
  /** Who works here, and what each of them did. */
  people: { imports: low, folders: ["people/users", "people/activity"] },
  /** What the shop sells. */
  catalogue: {
    imports: [...low, "people"],
    folders: [
      "catalogue/covers",
      "catalogue/publishers",
      "catalogue/reviews",
      "catalogue/book-import",
      "catalogue/books",
      "catalogue/books/digital",
      "catalogue/import",
    ],
  },
  /** How many copies there are, and where they come from. */
  stock: {
    imports: [...low, "catalogue"],
    folders: [
      "stock/labels",
      "stock/card",
      "stock/counts",
      "stock/suppliers",
      "stock/purchases",
      "stock/purchases/needs",
      "stock/receiving",
    ],
  },
  /** What customers order and pay. */
  sales: {
    imports: [...low, "catalogue"],
    folders: [
      "sales/quotes",
      "sales/payments",
      "sales/payments/statement",
      "sales/payments/all",
      "sales/orders",
      "sales/reports",
    ],
  },
  /** What schools come for beside their orders. */
  schools: {
    imports: [...low, "catalogue"],
    folders: ["schools/booklists", "schools/booklists/import", "schools/consultations", "schools/events"],
  },
  /** The shop as a whole: its settings, its opening, and what today needs. */
  shop: {
    imports: [...low, "catalogue", "sales"],
    folders: ["shop/settings", "shop/opening", "shop/dashboard"],
  },
});
