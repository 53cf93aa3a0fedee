import { bookFieldNames, bookFields, choiceLabel } from "#app/features/books/book-fields.ts";
import { DUTIES } from "#app/features/session/duties.ts";
import { dutyTexts } from "#app/office/frame/duty-texts.ts";
import { orderLabel, shortOrderId } from "#app/office/frame/order-number.ts";
import { orderFields, shipmentFields } from "#shared/orders/order-fields.ts";
import { type SettingName, settings } from "#shared/owner/settings.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";

/** Describes the audit log: the subject, what happened to it, and each field before and after. */

/** The logged tables, with the singular and plural noun for their rows. */
export const ACTIVITY_TABLES = {
  books: { one: "Book", many: "Books" },
  orders: { one: "Order", many: "Orders" },
  order_items: { one: "Order line", many: "Order lines" },
  profiles: { one: "Person", many: "People" },
  user_roles: { one: "Role", many: "Roles" },
  staff_duties: { one: "Duty", many: "Duties" },
  second_steps: { one: "Second step", many: "Second steps" },
  sessions: { one: "Session", many: "Sessions" },
  reviews: { one: "Review", many: "Reviews" },
  booklists: { one: "Booklist", many: "Booklists" },
  booklist_lines: { one: "Booklist line", many: "Booklist lines" },
  payments: { one: "Payment", many: "Payments" },
  quotes: { one: "Quote", many: "Quotes" },
  quote_lines: { one: "Quote line", many: "Quote lines" },
  publishers: { one: "Publisher", many: "Publishers" },
  suppliers: { one: "Supplier", many: "Suppliers" },
  purchase_orders: { one: "Purchase order", many: "Purchase orders" },
  receipts: { one: "Receipt", many: "Receipts" },
  purchase_order_lines: { one: "Purchase order line", many: "Purchase order lines" },
  digital_files: { one: "File", many: "Files" },
  licence_codes: { one: "Licence codes", many: "Licence codes" },
  events: { one: "Event", many: "Events" },
  shop_settings: { one: "Setting", many: "Settings" },
} as const;

export type ActivityTable = keyof typeof ACTIVITY_TABLES;

export type LoggedRow = Readonly<Record<string, unknown>>;

export type ActivityEntry = {
  id: number;
  happenedAt: string;
  /** Null when it was done by a command or the database's owner, who have no account. */
  actor: { id: string; name: string } | null;
  table: string;
  rowId: string;
  action: string;
  before: LoggedRow | null;
  after: LoggedRow | null;
  /** Whether it is the latest deletion of something that can still be restored, or the latest change of an order. */
  restorable: boolean;
};

/** Names of the users and titles of the books that logged rows refer to by id. */
export type Names = ReadonlyMap<string, string>;

/** A field with its formatted value before and after; null means empty. */
export type FieldChange = { name: string; before: string | null; after: string | null };

const verbs: Readonly<Record<string, string>> = {
  insert: "added",
  update: "changed",
  delete: "deleted",
  restore: "restored",
  change: "changed",
  read: "read",
};

const ownVerbs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orders: { insert: "placed" },
  receipts: { insert: "booked", update: "undone" },
  profiles: { update: "corrected", delete: "forgotten", merge: "merged" },
  user_roles: { insert: "given", delete: "removed" },
  staff_duties: { insert: "given", delete: "taken away" },
  second_steps: { delete: "removed" },
  sessions: { delete: "ended" },
  digital_files: { delete: "removed" },
  licence_codes: { delete: "withdrawn" },
  quotes: { insert: "requested" },
};

/** 'Book changed', 'Order placed', 'Import undone'. */
export function describeAction({ table, action }: Pick<ActivityEntry, "table" | "action">): string {
  if (action === "import") return "Books imported";
  if (action === "undo") return "Import undone";
  if (action === "return") return "Copies returned";
  if (action === "undo_return") return "Return undone";
  if (action === "ship") return "Copies sent";
  if (action === "undo_ship") return "Shipment undone";
  if (table === "publishers" && action === "merge") return "Books renamed";
  const noun = isActivityTable(table) ? ACTIVITY_TABLES[table].one : sentenceCase(table);
  return `${noun} ${ownVerbs[table]?.[action] ?? verbs[action] ?? action}`;
}

type Subject = Pick<ActivityEntry, "table" | "rowId" | "before" | "after" | "action">;

/** The entry's subject in one text, as staff know it: a title, an order's number, a person. */
export function describeSubject(entry: Subject, names: Names): string {
  return subjectParts(entry, names).join(", ");
}

/** The parts of a subject. Any of them may be text that a person typed. */
export function subjectParts(entry: Subject, names: Names): string[] {
  if (entry.table !== "booklists") return [singleSubject(entry, names)];
  const row = entry.after ?? entry.before ?? {};
  return [row.school, row.class_name, row.school_year].filter((text) => typeof text === "string");
}

function singleSubject(entry: Subject, names: Names): string {
  const row = entry.after ?? entry.before ?? {};
  const text = (field: string) => (typeof row[field] === "string" ? row[field] : null);
  const named = (field: string) => names.get(text(field) ?? "") ?? null;
  if (entry.action === "import" || entry.action === "undo") return text("file_name") ?? "Unnamed file";
  switch (entry.table) {
    case "orders":
      return typeof row.number === "number"
        ? orderLabel({ id: entry.rowId, number: row.number })
        : shortOrderId(entry.rowId);
    case "payments":
      return row.order_number ? `Order ${row.order_number}` : "Unknown order";
    case "profiles":
    case "user_roles":
    case "staff_duties":
    case "second_steps":
    case "sessions":
      return named("user_id") ?? "Deleted user";
    case "reviews":
      return `${row.rating}/5 for ${named("book_id") ?? "a deleted book"}`;
    case "publishers":
    case "suppliers":
      return text("name") ?? entry.rowId;
    case "shop_settings":
      return Object.hasOwn(settings, entry.rowId) ? settings[entry.rowId as SettingName].label : entry.rowId;
    case "receipts":
      return text("note") ?? "Goods in";
    case "purchase_orders":
      return text("reference") ?? "Draft";
    case "quotes":
      return text("reference") ?? text("institution") ?? entry.rowId;
    default:
      return text("title") ?? entry.rowId;
  }
}

/** The fields that changed; for a new or deleted row all that are not empty and not already in its subject. */
export function listChanges(
  entry: Pick<ActivityEntry, "table" | "before" | "after">,
  names: Names,
): FieldChange[] {
  const { before, after } = entry;
  const said = isComparison(entry) ? [] : (subjectFields[entry.table] ?? []);
  const isSaid = (field: string) => hiddenFields.has(field) || said.includes(field);
  const fields = Object.keys({ ...before, ...after }).filter((field) => !isSaid(field));
  return fields
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((field) => {
      const [was, is] = [before?.[field] ?? null, after?.[field] ?? null];
      if (JSON.stringify(was) === JSON.stringify(is)) return [];
      return {
        name: fieldName(field),
        before: formatValue(field, was, names),
        after: formatValue(field, is, names),
      };
    });
}

export function isComparison({ before, after }: Pick<ActivityEntry, "before" | "after">): boolean {
  return before !== null && after !== null;
}

export function isActivityTable(text: string): text is ActivityTable {
  return Object.hasOwn(ACTIVITY_TABLES, text);
}

/** The table and person in the URL, each empty when invalid. */
export function readActivityFilters(filter: (name: string) => string): { table: string; actor: string } {
  const [table, actor] = [filter("table"), filter("person")];
  return { table: isActivityTable(table) ? table : "", actor: isUuid(actor) ? actor : "" };
}

/** Ids that mean nothing to people, and fields that the database maintains. */
const hiddenFields: ReadonlySet<string> = new Set([
  "id",
  "created_at",
  "updated_at",
  "average_rating",
  "review_count",
  "search_text",
  "word_text",
  "title_key",
  "isbn_key",
  "isbn13",
  "for_sale",
  "actor",
  "applied_at",
  "undone_at",
  "booklist_id",
  "order_number",
  "settled_at",
  "check_at",
  "checkout_url",
  "decided_by",
  "currency",
  "year",
  "version",
  "sent_at",
  "decided_at",
  "quote_id",
  "purchase_order_id",
  "cost",
  "line_cost",
  "supplier_id",
  "received",
  "position",
]);

/** Fields that an entry's subject or action already shows; imports are logged under books. */
const subjectFields: Readonly<Record<string, readonly string[]>> = {
  books: ["title", "file_name", "status"],
  orders: ["number"],
  order_items: ["title"],
  profiles: ["user_id"],
  user_roles: ["user_id"],
  staff_duties: ["user_id"],
  second_steps: ["user_id"],
  sessions: ["user_id"],
  reviews: ["book_id", "rating"],
  booklists: ["school", "class_name", "school_year"],
  booklist_lines: ["title"],
  quotes: ["reference", "number"],
  quote_lines: ["title", "book_id"],
  publishers: ["name"],
  suppliers: ["name"],
  purchase_orders: ["reference", "number"],
  purchase_order_lines: ["title", "book_id"],
  digital_files: ["title", "book_id"],
  licence_codes: ["title", "book_id", "order_id"],
};

/** The fields that staff look for first; the others follow in logged order. */
const firstFields: readonly string[] = [
  ...bookFieldNames,
  "status",
  "total_amount",
  "quantity",
  "user_id",
  "role",
  "book_id",
  "rating",
];

function rank(field: string): number {
  const place = firstFields.indexOf(field);
  return place === -1 ? firstFields.length : place;
}

const fieldNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...bookFields, ...orderFields, ...shipmentFields].map(({ name, label }) => [name, label]),
  ),
  total_amount: "Total",
  stock_held: "Copies taken from stock",
  full_name: "Name",
  new_email: "Email to be confirmed",
  closed_account: "Closed account",
  user_id: "Customer",
  book_id: "Book",
  order_id: "Order",
  review_text: "Text",
  hidden_at: "Hidden",
  contact_name: "Contact person",
  contact_email: "Contact's email",
  contact_phone: "Contact's phone",
  requested: "Requested by the customer",
  file_name: "File",
  class_name: "Class",
  is_listed: "Found by school",
  pupils: "Expected pupils",
  is_required: "Required",
  slug: "Address",
  logo_url: "Logo",
  in_filter: "In the shop's filter",
  has_order_links: "Ends with order links",
  titles: "Listed titles",
  refund: "Taken off",
  lines: "Books",
  renamed: "Books by old name",
};

/** Their amounts are in pesewas once a row is read. */
export const moneyFields: ReadonlySet<string> = new Set([
  "price",
  "total_amount",
  "delivery_fee",
  "default_price",
  "shop_price",
  "unit_price",
  "amount",
  "received_amount",
  "refund",
]);

function fieldName(field: string): string {
  return fieldNames[field] ?? sentenceCase(field);
}

function formatValue(field: string, value: unknown, names: Names): string | null {
  if (value === null || value === "") return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") {
    return moneyFields.has(field) ? formatCedis(value as Pesewas) : value.toLocaleString("en-GB");
  }
  if (Array.isArray(value) && (field === "known_for" || field === "titles"))
    return value.map((item) => item.title ?? item).join("; ") || null;
  if (field === "duty")
    return DUTIES.flatMap((duty) => (duty === value ? dutyTexts[duty].name : []))[0] ?? null;
  if (Array.isArray(value) && field === "lines")
    return value
      .map(
        ({ quantity, title, resalable }) =>
          `${quantity} × ${title}${resalable === false ? " (written off)" : ""}`,
      )
      .join("; ");
  if (field === "renamed")
    return Object.entries(value ?? {})
      .map(([spelling, books]) => `${spelling} (${books})`)
      .join(", ");
  if (typeof value !== "string") return JSON.stringify(value);
  // As the database writes a time.
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return formatMinute(value);
  if (field === "order_id") return names.get(value) ?? shortOrderId(value);
  if (field === "status" || field === "role" || field === "reason") return sentenceCase(value);
  return names.get(value) ?? choiceLabel(field, value);
}

/** 'grade_level' as 'Grade level'. */
function sentenceCase(name: string): string {
  const spaced = name.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
