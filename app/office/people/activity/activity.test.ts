import { describe, expect, it } from "vitest";
import {
  describeAction,
  describeSubject,
  isComparison,
  listChanges,
  readActivityFilters,
} from "./activity.ts";

const reader = "6d2b6f6e-6f0e-4c39-9a35-0d54b6b7a001";
const book = "6d2b6f6e-6f0e-4c39-9a35-0d54b6b7a002";
const names = new Map([
  [reader, "Head of the library"],
  [book, "Atlas of Ghana"],
]);
const about = (table: string, action: string, before: object | null, after: object | null) => ({
  table,
  action,
  rowId: "6d2b6f6e-6f0e-4c39-9a35-0d54b6b7a003",
  before: before as Record<string, unknown> | null,
  after: after as Record<string, unknown> | null,
});

describe("a log entry", () => {
  it.each([
    ["books", "update", "Book changed"],
    ["orders", "insert", "Order placed"],
    ["order_items", "delete", "Order line deleted"],
    ["user_roles", "insert", "Role given"],
    ["user_roles", "delete", "Role removed"],
    ["staff_duties", "insert", "Duty given"],
    ["staff_duties", "delete", "Duty taken away"],
    ["reviews", "restore", "Review restored"],
    ["quotes", "insert", "Quote requested"],
    ["quote_lines", "update", "Quote line changed"],
    ["books", "import", "Books imported"],
    ["books", "undo", "Import undone"],
    ["publishers", "merge", "Books renamed"],
    ["profiles", "merge", "Person merged"],
  ])("for %s with the action %s is described as %j", (table, action, description) => {
    expect(describeAction({ table, action })).toBe(description);
  });

  it("has a subject that staff recognise: a title, an order's number, a person, a file", () => {
    const subject = (...entry: Parameters<typeof about>) => describeSubject(about(...entry), names);
    expect(subject("books", "update", { title: "Old" }, { title: "New" })).toBe("New");
    expect(subject("books", "delete", { title: "Gone" }, null)).toBe("Gone");
    expect(subject("orders", "insert", null, {})).toBe("6d2b6f6e…");
    expect(subject("orders", "insert", null, { number: 1042 })).toBe("6d2b6f6e… (No. 1042)");
    expect(subject("user_roles", "insert", null, { user_id: reader })).toBe("Head of the library");
    expect(subject("user_roles", "insert", null, { user_id: book.replace("2", "9") })).toBe("Deleted user");
    expect(subject("reviews", "delete", { rating: 4, book_id: book }, null)).toBe("4/5 for Atlas of Ghana");
    expect(subject("reviews", "delete", { rating: 4, book_id: "?" }, null)).toBe("4/5 for a deleted book");
    expect(subject("quotes", "insert", null, { institution: "A school" })).toBe("A school");
    expect(subject("quotes", "update", {}, { institution: "A school", reference: "Q2026-0007" })).toBe(
      "Q2026-0007",
    );
    expect(subject("books", "import", null, { file_name: "term-2.csv" })).toBe("term-2.csv");
  });

  it("of a publisher names it, its titles, and how many books had each spelling", () => {
    const titles = [
      { title: "Light", price: 5 },
      { title: "Sound", price: 6 },
    ];
    const added = about("publishers", "insert", null, { name: "CGP", slug: "cgp", titles, known_for: [] });
    expect(describeSubject(added, names)).toBe("CGP");
    expect(listChanges(added, names)).toEqual([
      { name: "Address", before: null, after: "cgp" },
      { name: "Listed titles", before: null, after: "Light; Sound" },
      { name: "Known for", before: null, after: null },
    ]);
    const merged = about("publishers", "merge", null, {
      name: "CGP",
      renamed: { "C.G.P.": 2, "CGP Books": 3 },
    });
    expect(listChanges(merged, names)).toEqual([
      { name: "Books by old name", before: null, after: "C.G.P. (2), CGP Books (3)" },
    ]);
  });

  it("lists only the changed fields, formatted for people", () => {
    const entry = about(
      "books",
      "update",
      {
        id: 1,
        title: "Atlas",
        price: 4_550,
        stock_quantity: 1200,
        subject: null,
        updated_at: "a",
        edition: "1st",
      },
      {
        id: 1,
        title: "Atlas",
        price: 106_000,
        stock_quantity: 8,
        subject: "Geography",
        updated_at: "b",
        edition: null,
      },
    );
    expect(listChanges(entry, names)).toEqual([
      { name: "Price", before: "GH₵45.50", after: "GH₵1,060.00" },
      { name: "Stock Quantity", before: "1,200", after: "8" },
      { name: "Subject", before: null, after: "Geography" },
      { name: "Edition", before: "1st", after: null },
    ]);
    expect(isComparison(entry)).toBe(true);
  });

  it("lists all non-empty fields of a new or deleted row, with names instead of ids", () => {
    const row = {
      id: 1,
      user_id: reader,
      total_amount: 9_000,
      status: "pending",
      stock_held: true,
      recipient_name: null,
    };
    expect(listChanges(about("orders", "delete", row, null), names)).toEqual([
      { name: "Status", before: "Pending", after: null },
      { name: "Total", before: "GH₵90.00", after: null },
      { name: "Customer", before: "Head of the library", after: null },
      { name: "Copies taken from stock", before: "Yes", after: null },
    ]);
    const role = about("user_roles", "insert", null, { id: 2, user_id: reader, role: "admin" });
    expect(listChanges(role, names)).toEqual([{ name: "Role", before: null, after: "Admin" }]);
    expect(isComparison(role)).toBe(false);
  });

  it("omits the subject's own fields for a new row, but not for a change", () => {
    const atlas = { price: 5, title: "Atlas" };
    expect(listChanges(about("books", "insert", null, atlas), names).map(({ name }) => name)).toEqual([
      "Price",
    ]);
    const imported = { file_name: "a.csv", status: "applied", added: 2, default_price: 500 };
    expect(listChanges(about("books", "import", null, imported), names)).toEqual([
      { name: "Added", before: null, after: "2" },
      { name: "Default price", before: null, after: "GH₵5.00" },
    ]);
    const review = { rating: 4, book_id: book, review_text: "Good" };
    expect(listChanges(about("reviews", "delete", review, null), names)).toEqual([
      { name: "Text", before: "Good", after: null },
    ]);
    expect(listChanges(about("books", "update", atlas, { price: 5, title: "Map" }), names)).toEqual([
      { name: "Title", before: "Atlas", after: "Map" },
    ]);
    const hidden = { hidden_at: "2026-11-20T08:05:30.123456+00:00" };
    expect(listChanges(about("reviews", "update", { hidden_at: null }, hidden), names)).toEqual([
      { name: "Hidden", before: null, after: "20 Nov 2026, 08:05" },
    ]);
  });

  it("uses the database's own names for an entry that the page does not know", () => {
    expect(describeAction({ table: "book_tags", action: "merge" })).toBe("Book tags merge");
  });

  it("has a subject even when its row has few fields", () => {
    const subject = (...entry: Parameters<typeof about>) => describeSubject(about(...entry), names);
    const { rowId } = about("books", "insert", null, null);
    for (const row of [null, {}, { title: 7 }]) expect(subject("books", "insert", null, row)).toBe(rowId);
    expect(subject("order_items", "insert", null, { title: "Atlas" })).toBe("Atlas");
    expect(subject("orders", "insert", null, { number: "1042" })).toBe("6d2b6f6e…");
    expect(subject("user_roles", "insert", null, {})).toBe("Deleted user");
    expect(subject("books", "import", null, {})).toBe("Unnamed file");
    expect(subject("books", "undo", null, { file_name: "term-2.csv", title: "A" })).toBe("term-2.csv");
  });

  it("leaves out fields that the database maintains", () => {
    const row = Object.fromEntries(
      [
        "id",
        "created_at",
        "updated_at",
        "average_rating",
        "review_count",
        "search_text",
        "title_key",
        "isbn_key",
        "isbn13",
        "actor",
        "applied_at",
        "undone_at",
      ].map((field) => [field, "x"]),
    );
    expect(listChanges(about("books", "update", row, {}), names)).toEqual([]);
    expect(listChanges(about("orders", "insert", null, { number: 7 }), names)).toEqual([]);
  });

  it("formats its values for people", () => {
    const order = "0b5c1f1e-0000-4000-8000-00000000000a";
    const was = { stock_held: true, order_id: order, book_id: book, note: "", count: 1, role: "user" };
    const is = {
      stock_held: false,
      order_id: reader,
      book_id: order,
      note: "a_b",
      count: 1,
      role: "admin_two",
    };
    expect(listChanges(about("other", "update", was, is), names)).toEqual([
      { name: "Role", before: "User", after: "Admin two" },
      { name: "Book", before: "Atlas of Ghana", after: order },
      { name: "Copies taken from stock", before: "Yes", after: "No" },
      { name: "Order", before: "0b5c1f1e…", after: "Head of the library" },
      { name: "Note", before: null, after: "a_b" },
    ]);
  });

  it("lists the books of a changed order", () => {
    const lines = (copies: number) => ({
      lines: [
        { title: "Atlas", quantity: copies },
        { title: "Maths", quantity: 1 },
      ],
    });
    const entry = { ...about("orders", "change", lines(2), { lines: [{ title: "Atlas", quantity: 3 }] }) };
    expect(describeAction(entry)).toBe("Order changed");
    expect(listChanges(entry, names)).toEqual([
      { name: "Books", before: "2 × Atlas; 1 × Maths", after: "3 × Atlas" },
    ]);
  });

  it("names an unknown field after its column", () => {
    expect(listChanges(about("books", "insert", null, { shelf_mark: "A4", sizes: [1, 2] }), names)).toEqual([
      { name: "Shelf mark", before: null, after: "A4" },
      { name: "Sizes", before: null, after: "[1,2]" },
    ]);
  });
});

describe("the filters in the URL", () => {
  const read = (address: string) => {
    const params = new URLSearchParams(address);
    return readActivityFilters((name) => params.get(name) ?? "");
  };

  it("are a known table and a user's id", () => {
    expect(read(`table=books&person=${reader}`)).toEqual({ table: "books", actor: reader });
  });

  it("are ignored when invalid", () => {
    expect(read("table=toString&person=me")).toEqual({ table: "", actor: "" });
    expect(read("table=cart_items")).toEqual({ table: "", actor: "" });
  });
});
