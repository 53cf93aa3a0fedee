import { shortOrderId } from "#app/features/admin/orders/order-number.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { isUuid } from "#app/lib/uuid.ts";

/** What the audit log says, in words: which thing, what happened to it, and each field before and after. */

/** The tables that are logged, as the page calls what their rows are: one and many. */
export const ACTIVITY_TABLES = {
  books: { one: "Book", many: "Books" },
  orders: { one: "Order", many: "Orders" },
  order_items: { one: "Order line", many: "Order lines" },
  user_roles: { one: "Role", many: "Roles" },
  reviews: { one: "Review", many: "Reviews" },
} as const;

export type ActivityTable = keyof typeof ACTIVITY_TABLES;

/** A row of a table as it was logged. */
export type LoggedRow = Readonly<Record<string, unknown>>;

export type ActivityEntry = {
  id: number;
  happenedAt: string;
  /** Null when a command or the database's owner did it, who have no account. */
  actor: { id: string; name: string } | null;
  table: string;
  rowId: string;
  action: string;
  before: LoggedRow | null;
  after: LoggedRow | null;
  /** Whether it is the latest deletion of something that is still gone and can be brought back. */
  restorable: boolean;
};

/** Names of the people and titles of the books that logged rows mention by id alone. */
export type Names = ReadonlyMap<string, string>;

/** A field with its value before and after, written out; null means that it was or is empty. */
export type FieldChange = { name: string; before: string | null; after: string | null };

const verbs: Readonly<Record<string, string>> = {
  insert: "added",
  update: "changed",
  delete: "deleted",
  restore: "restored",
};

const ownVerbs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orders: { insert: "placed" },
  user_roles: { insert: "given", delete: "taken away" },
};

/** 'Book changed', 'Order placed', 'Import undone'. */
export function describeAction({ table, action }: Pick<ActivityEntry, "table" | "action">): string {
  if (action === "import") return "Books imported";
  if (action === "undo") return "Import undone";
  const noun = isActivityTable(table) ? ACTIVITY_TABLES[table].one : sentenceCase(table);
  return `${noun} ${ownVerbs[table]?.[action] ?? verbs[action] ?? action}`;
}

/** What the entry is about, as staff know it: a title, an order's number, a person. */
export function describeSubject(
  entry: Pick<ActivityEntry, "table" | "rowId" | "before" | "after" | "action">,
  names: Names,
): string {
  const row = entry.after ?? entry.before ?? {};
  const text = (field: string) => (typeof row[field] === "string" ? row[field] : null);
  const named = (field: string) => names.get(text(field) ?? "") ?? null;
  if (entry.action === "import" || entry.action === "undo")
    return text("file_name") ?? "A file without a name";
  switch (entry.table) {
    case "orders":
      return shortOrderId(entry.rowId);
    case "user_roles":
      return named("user_id") ?? "A person who is gone";
    case "reviews":
      return `${row.rating}/5 for ${named("book_id") ?? "a book that is gone"}`;
    default:
      return text("title") ?? entry.rowId;
  }
}

/** The fields that changed; of a new or deleted row all that are not empty and not named by its subject already. */
export function listChanges(
  entry: Pick<ActivityEntry, "table" | "before" | "after">,
  names: Names,
): FieldChange[] {
  const { before, after } = entry;
  const said = isComparison(entry) ? [] : (naming[entry.table] ?? []);
  const isSaid = (field: string) => unspoken.has(field) || said.includes(field);
  const fields = Object.keys({ ...before, ...after }).filter((field) => !isSaid(field));
  return fields
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((field) => {
      const [was, is] = [before?.[field] ?? null, after?.[field] ?? null];
      if (JSON.stringify(was) === JSON.stringify(is)) return [];
      return {
        name: fieldName(field),
        before: writeOut(field, was, names),
        after: writeOut(field, is, names),
      };
    });
}

/** Whether the entry has both sides, so that its fields went from one value to another. */
export function isComparison({ before, after }: Pick<ActivityEntry, "before" | "after">): boolean {
  return before !== null && after !== null;
}

export function isActivityTable(text: string): text is ActivityTable {
  return Object.hasOwn(ACTIVITY_TABLES, text);
}

/** The table and person of the address, each empty when it is none. */
export function readActivityFilters(filter: (name: string) => string): { table: string; actor: string } {
  const [table, actor] = [filter("table"), filter("person")];
  return { table: isActivityTable(table) ? table : "", actor: isUuid(actor) ? actor : "" };
}

/** Ids that mean nothing to people, and what the database keeps by itself. */
const unspoken: ReadonlySet<string> = new Set([
  ...["id", "created_at", "updated_at", "average_rating", "review_count"],
  ...["search_text", "title_key", "isbn_key", "isbn13"],
  ...["actor", "applied_at", "undone_at"],
]);

/** What the subject of an entry or its action says already; imports are logged under books. */
const naming: Readonly<Record<string, readonly string[]>> = {
  books: ["title", "file_name", "status"],
  order_items: ["title"],
  user_roles: ["user_id"],
  reviews: ["book_id", "rating"],
};

/** What staff look for first; the rest follows as it was logged. */
const firstFields = [
  ...["title", "publisher", "isbn", "price", "stock_quantity"],
  ...["status", "total_amount", "quantity", "user_id", "role", "book_id", "rating"],
];

function rank(field: string): number {
  const place = firstFields.indexOf(field);
  return place === -1 ? firstFields.length : place;
}

const fieldNames: Readonly<Record<string, string>> = {
  isbn: "ISBN",
  image_url: "Cover",
  stock_quantity: "Stock",
  total_amount: "Total",
  stock_held: "Copies taken from stock",
  recipient_name: "Recipient",
  recipient_email: "Recipient's email",
  recipient_phone: "Recipient's phone",
  user_id: "Customer",
  book_id: "Book",
  order_id: "Order",
  review_text: "Text",
  file_name: "File",
};

const moneyFields: ReadonlySet<string> = new Set(["price", "total_amount", "default_price"]);

function fieldName(field: string): string {
  return fieldNames[field] ?? sentenceCase(field);
}

function writeOut(field: string, value: unknown, names: Names): string | null {
  if (value === null || value === "") return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") {
    return moneyFields.has(field) ? formatCedis(pesewasFromCedis(value)) : value.toLocaleString("en-GB");
  }
  if (typeof value !== "string") return JSON.stringify(value);
  if (field === "order_id") return shortOrderId(value);
  if (field === "status" || field === "role") return sentenceCase(value);
  return names.get(value) ?? value;
}

/** 'grade_level' as 'Grade level'. */
function sentenceCase(words: string): string {
  const spaced = words.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
