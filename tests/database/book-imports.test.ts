import { beforeAll, expect, test } from "vitest";
import { bookFieldNames } from "#app/features/books/book-fields.ts";
import { searchCall } from "#tests/support/book-search.ts";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  movementsOf,
  order,
  stockOf,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";

describeDatabase("Importing books", (open) => {
  let customer: SignedIn;
  let moderator: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    moderator = await addStaff(open(), "moderator");
    admin = await addStaff(open(), "admin");
  });

  const call = (
    name: string,
    parameters: unknown[],
    person: Parameters<ReturnType<typeof open>["as"]>[0] = admin,
  ) =>
    open().as(person, (query) =>
      query(`select * from public.${name}(${parameters.map((_, i) => `$${i + 1}`).join(", ")})`, parameters),
    );
  const stage = async (rows: Row[], defaults: unknown[] = ["books.csv", 50, 3, "Default Press"]) => {
    const [created] = await call("create_book_import", defaults);
    const id = String(created?.create_book_import);
    await call("stage_book_import_rows", [id, rows]);
    return id;
  };
  /** A file whose stock replaces that of books which the shop has. */
  const settingStock = ["books.csv", 50, 3, "Default Press", null, null, true];
  const bookBy = async (isbn: string) =>
    (
      await open().query(
        "select id, title, publisher, price::float8 as price, stock_quantity as stock, subject from public.books where isbn = $1",
        [isbn],
      )
    )[0];

  test("the dry run shows what each row would do, with the book before and after, and changes nothing", async () => {
    const known = await addBook(open(), {
      title: "Known",
      isbn: "978-0-306-40615-7",
      price: 45,
      stock: 5,
      subject: "Maths",
    });
    const id = await stage([
      {
        line: 2,
        title: " New  one ",
        isbn: "0521497817",
        price: "1250.50",
        stock_quantity: "12",
        subject: "",
      },
      { line: 3, title: "Defaults", price: "", stock_quantity: null },
      { line: 4, title: "Known", isbn: "0306406152", price: 47.5, subject: null },
      { line: 5, title: "Known", isbn: "9780306406157" },
      { line: 6, isbn: "X-1", price: -1, stock_quantity: "1.5" },
      { line: 7, title: "y".repeat(501), price: "cheap" },
      { line: 8, title: "Read before it is sent", price: "GH₵ 1,250.50", stock_quantity: "1,000" },
      { line: 9, title: "A price without half pesewas", price: "45.999" },
    ]);
    const rows = await call("preview_book_import", [id]);
    expect(rows.map(({ line, action, problems }) => [line, action, problems])).toEqual([
      [2, "add", []],
      [3, "add", []],
      [4, "update", []],
      [5, "refused", ["The same ISBN is in line 4."]],
      [
        6,
        "refused",
        [
          "The price “-1” is not an amount of 0 or more.",
          "The stock “1.5” is not a whole number of 0 or more.",
          "The title is missing.",
        ],
      ],
      [
        7,
        "refused",
        [
          "The title is too long (at most 500 characters).",
          "The price “cheap” is not an amount of 0 or more.",
        ],
      ],
      [
        8,
        "refused",
        [
          "The price “GH₵ 1,250.50” is not an amount of 0 or more.",
          "The stock “1,000” is not a whole number of 0 or more.",
        ],
      ],
      [9, "refused", ["The price “45.999” has more than two decimals."]],
    ]);
    expect(rows[0]).toMatchObject({
      before: null,
      after: { title: "New one", publisher: "Default Press", price: 1250.5, stock_quantity: 12 },
    });
    expect(rows[1]?.after).toMatchObject({
      title: "Defaults",
      publisher: "Default Press",
      price: 50,
      stock_quantity: 3,
    });
    expect(rows[2]).toMatchObject({
      book_id: known.id,
      before: { price: 45, stock_quantity: 5, subject: "Maths" },
      after: { price: 47.5, stock_quantity: 5, subject: "Maths", isbn: "9780306406157" },
    });
    expect(await call("summarise_book_import", [id])).toEqual([
      {
        ...{ rows: 8, added: 2, updated: 1, unchanged: 0, refused: 5, not_books: 0 },
        ...{ stock_changed: 0, stock_moved: 0, stock_kept: 0, fields_moved: 0 },
        figures: expect.objectContaining({ stock_moves: [] }),
      },
    ]);
    expect(await call("preview_book_import", [id, "refused", 5, 1])).toMatchObject([{ line: 6 }]);
    expect(await bookBy("9780306406157")).toMatchObject({ price: 45 });
    expect(await bookBy("9780521497817")).toBeUndefined();
    await open().query("delete from public.books where id = $1", [known.id]);
  });

  test("puts no copy back on sale that was sold while an export was edited", async () => {
    const names = ["untouched", "priced", "sold", "recounted", "contradicted", "there"] as const;
    const books = Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await addBook(open(), { title: name, price: 10, stock: 25 })]),
      ),
    ) as Record<(typeof names)[number], Awaited<ReturnType<typeof addBook>>>;
    const row = (name: (typeof names)[number], stock: number, price = 10) => ({
      ...{ line: 2 + names.indexOf(name), id: books[name].id, price },
      ...{ stock_quantity: stock, seen_stock: 25 },
    });
    const id = await stage([
      row("untouched", 25),
      row("priced", 25, 12),
      row("sold", 25, 12),
      row("recounted", 30),
      row("contradicted", 30, 12),
      row("there", 24),
    ]);
    // Meanwhile.
    for (const name of ["sold", "contradicted", "there"] as const)
      await order(open(), customer, [[books[name], 1]]);
    const plan = await call("preview_book_import", [id]);
    expect(plan.map(({ action, problems }) => [action, problems])).toEqual([
      ["unchanged", []],
      ["update", []],
      ["update", []],
      ["update", []],
      [
        "refused",
        [
          "The stock was 25 in the export and is 24 now. Export the books again, or change it on the stock card.",
        ],
      ],
      ["unchanged", []],
    ]);
    expect(await call("summarise_book_import", [id])).toMatchObject([
      { updated: 3, unchanged: 2, refused: 1, stock_changed: 1, stock_moved: 1, stock_kept: 0 },
    ]);
    await call("apply_book_import", [id, true]);
    const stocks = async () => Promise.all(names.map((name) => stockOf(open(), books[name])));
    expect(await stocks()).toEqual([25, 25, 24, 30, 24, 24]);
    // The same file once more: it is there already, and nothing is added twice.
    const again = await stage([row("recounted", 30), row("sold", 25, 12)]);
    expect(await call("summarise_book_import", [again])).toMatchObject([{ unchanged: 2, refused: 0 }]);
    await order(open(), customer, [[books.recounted, 1]]);
    const late = await stage([row("recounted", 30)]);
    expect(await call("summarise_book_import", [late])).toMatchObject([{ refused: 1 }]);
    await call("undo_book_import", [id]);
    expect(await stocks()).toEqual([25, 25, 24, 24, 24, 24]);
  });

  test("changes only what was changed in an export, and says what it leaves", async () => {
    const names = ["untouched", "moved", "edited", "both", "same", "isbn"] as const;
    const books = Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [
          name,
          await addBook(open(), { title: name, price: 10, isbn: `MARK-${name}`, subject: "Maths" }),
        ]),
      ),
    ) as Record<(typeof names)[number], Awaited<ReturnType<typeof addBook>>>;
    const ids = names.map((name) => books[name].id);
    const exported = (await call("export_books", [ids])).map(({ export_books }) => export_books as Row);
    expect(exported.map(({ id }) => id)).toEqual(ids);
    const file = (edits: Partial<Record<(typeof names)[number], Row>>) =>
      exported.map(({ stock_quantity, average_rating, review_count, created_at, ...row }, at) => ({
        ...{ line: at + 2, ...row },
        ...edits[names[at] ?? "same"],
      }));
    const id = await stage(
      file({
        moved: { price: 12.5 },
        edited: { subject: "Physics", price: "12.50" },
        both: { price: 12 },
        same: { title: "Both agree" },
        isbn: { edition: "2nd" },
      }),
    );
    // Meanwhile.
    const change = (name: (typeof names)[number], sets: string) =>
      open().query(`update public.books set ${sets} where id = $1`, [books[name].id]);
    await change("moved", "title = 'Renamed', subject = null");
    await change("both", "price = 11, title = 'Dearer'");
    await change("same", "title = 'Both agree'");
    await change("isbn", "isbn = 'MARK-other'");
    const plan = await call("preview_book_import", [id]);
    expect(plan.map(({ action, moved, problems }) => [action, moved, problems])).toEqual([
      ["unchanged", [], []],
      ["update", ["title", "subject"], []],
      ["update", [], []],
      [
        "refused",
        ["title"],
        [
          "Changed both in the shop and in the file since the export: price. Export the books again, or make the change in the shop.",
        ],
      ],
      ["unchanged", [], []],
      ["update", ["isbn"], []],
    ]);
    expect(await call("summarise_book_import", [id])).toMatchObject([
      { updated: 3, unchanged: 2, refused: 1, fields_moved: 2 },
    ]);
    await call("apply_book_import", [id, true]);
    const now = async () =>
      open().query(
        "select title, price::float8 as price, isbn, subject, edition from public.books where id = any ($1) order by array_position($1, id)",
        [ids],
      );
    const left = { isbn: expect.stringMatching(/^MARK-/), subject: "Maths", edition: null, price: 10 };
    expect(await now()).toEqual([
      { ...left, title: "untouched" },
      { ...left, title: "Renamed", subject: null, price: 12.5 },
      { ...left, title: "edited", subject: "Physics", price: 12.5 },
      { ...left, title: "Dearer", price: 11 },
      { ...left, title: "Both agree" },
      { ...left, title: "isbn", isbn: "MARK-other", edition: "2nd" },
    ]);
    // A file of before the last field was marked, and one whose marks somebody has typed in.
    const short = await stage(
      file({}).map((row) => ({ ...row, marks: String((row as Row).marks).slice(0, 7) })),
    );
    expect((await call("preview_book_import", [short]))[1]).toMatchObject({ moved: ["title"] });
    const typed = await stage([{ line: 2, title: "A book", price: 1, marks: "x" }]);
    expect(await call("preview_book_import", [typed])).toMatchObject([
      {
        problems: [
          "The cell under “As exported” was changed. Export the books again, or leave that column out.",
        ],
      },
    ]);
    await call("undo_book_import", [id]);
    expect((await now())[1]).toMatchObject({ title: "Renamed", price: 10 });
  });

  test("marks every field that staff edit, but the stock", async () => {
    const marked = await open().query("select unnest(private.marked_fields()) as name");
    expect(new Set(marked.map(({ name }) => name))).toEqual(
      new Set(bookFieldNames.filter((name) => name !== "stock_quantity")),
    );
  });

  test("keeps the stock of books that the shop has where a file doesn't say what it was, unless it is told to set it", async () => {
    const book = await addBook(open(), { title: "Known", isbn: "KEPT-1", price: 10, stock: 5 });
    const rows = [
      { line: 2, isbn: "KEPT-1", price: 12, stock_quantity: 9 },
      { line: 3, isbn: "KEPT-2", title: "New", stock_quantity: 7 },
    ];
    const kept = await stage(rows);
    expect(await call("summarise_book_import", [kept])).toMatchObject([
      { added: 1, updated: 1, stock_changed: 0, stock_moved: 0, stock_kept: 1 },
    ]);
    await call("apply_book_import", [kept]);
    expect([await stockOf(open(), book), (await bookBy("KEPT-2"))?.stock]).toEqual([5, 7]);
    const set = await stage(rows, settingStock);
    expect(await call("summarise_book_import", [set])).toMatchObject([
      { added: 0, updated: 1, unchanged: 1, stock_changed: 1, stock_kept: 0 },
    ]);
    await call("apply_book_import", [set]);
    expect(await stockOf(open(), book)).toBe(9);
    await call("undo_book_import", [set]);
    await call("undo_book_import", [kept]);
  });

  test("shows no stock for a new book whose stock can't be read", async () => {
    const id = await stage([{ line: 2, title: "A book", price: 1, stock_quantity: "about 20" }]);
    expect(await call("preview_book_import", [id])).toMatchObject([
      {
        action: "refused",
        problems: ["The stock “about 20” is not a whole number of 0 or more."],
        after: { stock_quantity: null },
      },
    ]);
  });

  test("refuses a stock at export that is no number", async () => {
    const id = await stage([{ line: 2, title: "A book", price: 1, seen_stock: "some" }]);
    expect(await call("preview_book_import", [id])).toMatchObject([
      { problems: ["The stock at export “some” is not a whole number of 0 or more."] },
    ]);
  });

  test("without a default price a row without one is refused", async () => {
    const id = await stage([{ line: 2, title: "Priceless" }], ["x.csv"]);
    const [row] = await call("preview_book_import", [id]);
    expect(row).toMatchObject({ action: "refused", problems: ["The price is missing."] });
  });

  test("a row whose texts are too long for the indexes is refused on its own", async () => {
    const han = { title: "学".repeat(500), publisher: "学".repeat(200), subject: "学".repeat(200) };
    const id = await stage([
      { line: 2, title: "Short", isbn: "CODE-8" },
      { line: 3, ...han },
    ]);
    expect(
      (await call("preview_book_import", [id])).map(({ action, problems }) => [action, problems]),
    ).toEqual([
      ["add", []],
      ["refused", ["Title, publisher, course, subject and grade level are too long together."]],
    ]);
    await call("apply_book_import", [id, true]);
    expect(await bookBy("CODE-8")).toMatchObject({ title: "Short" });
  });

  test("applying is all or nothing; rows with problems refuse it unless they are left out", async () => {
    const known = await addBook(open(), { title: "Old title", isbn: "9780804429573", price: 45, stock: 5 });
    const id = await stage(
      [
        { line: 2, title: "New title", isbn: "080442957X", price: 60, stock_quantity: 9 },
        { line: 3, title: "Added", isbn: "CODE-7" },
        { line: 4, title: "" },
      ],
      settingStock,
    );
    const refusal = await refusalOf(call("apply_book_import", [id]));
    expect(refusal).toMatchObject({ code: "PT409", detail: { code: "import_has_problems", refused: 1 } });
    expect(await bookBy("CODE-7")).toBeUndefined();

    const log = async () =>
      (await open().query<{ count: number }>("select count(*)::int as count from public.audit_log"))[0]
        ?.count ?? 0;
    const before = await log();
    expect(await call("apply_book_import", [id, true])).toMatchObject([
      { id, status: "applied", added: 1, updated: 1, unchanged: 0, refused: 1, actor: admin.id },
    ]);
    expect(await log()).toBe(before + 1);
    const [entry] = await open().query("select * from public.audit_log order by id desc limit 1");
    expect(entry).toMatchObject({
      action: "import",
      table_name: "books",
      row_id: id,
      actor: admin.id,
      after: { added: 1, updated: 1 },
    });
    expect(await bookBy("9780804429573")).toMatchObject({
      id: known.id,
      title: "New title",
      price: 60,
      stock: 9,
    });
    expect(await bookBy("CODE-7")).toMatchObject({ title: "Added", price: 50, stock: 3 });
    expect(await movementsOf(open(), known)).toEqual(["4 import"]);
    expect((await refusalOf(call("apply_book_import", [id, true]))).detail).toEqual({
      code: "import_applied",
      status: "applied",
    });
    expect((await refusalOf(call("stage_book_import_rows", [id, []]))).detail).toMatchObject({
      code: "import_applied",
    });

    const again = await stage([
      { line: 2, title: "Added", isbn: "code 7", price: 50, stock_quantity: "3", publisher: "Default Press" },
    ]);
    expect(await call("apply_book_import", [again])).toMatchObject([{ added: 0, updated: 0, unchanged: 1 }]);
    await call("undo_book_import", [again]);
    await call("undo_book_import", [id]);
  });

  test("undo reverts what the import changed, but not what people have done since", async () => {
    const touched = await addBook(open(), {
      title: "Touched",
      isbn: "T-1",
      price: 10,
      stock: 10,
      subject: "Art",
    });
    await addBook(open(), { title: "Priced again since", isbn: "T-5", price: 10 });
    const id = await stage(
      [
        { line: 2, isbn: "T-1", title: "Renamed", price: 20, stock_quantity: 50, subject: "Music" },
        { line: 3, isbn: "T-2", title: "Ordered since", price: 5, stock_quantity: 5 },
        { line: 4, isbn: "T-3", title: "Untouched since", price: 5 },
        { line: 5, isbn: "T-4", title: "Edited since", price: 5 },
        { line: 6, isbn: "T-5", title: "Priced again since", price: 12 },
      ],
      settingStock,
    );
    await call("apply_book_import", [id]);
    const ordered = await bookBy("T-2");
    await order(open(), customer, [
      [{ ...touched, price: 20 }, 2],
      [{ id: String(ordered?.id), title: "", price: 5, stock: 5 }, 1],
    ]);
    await open().as(admin, async (query) => {
      await query("update public.books set subject = 'History' where isbn = 'T-1'");
      await query("update public.books set price = 6 where isbn = 'T-4'");
      await query("update public.books set price = 13 where isbn = 'T-5'");
    });
    const later = await stage([{ line: 2, isbn: "T-9", title: "Later" }]);
    await call("apply_book_import", [later]);
    expect((await refusalOf(call("undo_book_import", [id]))).detail).toEqual({ code: "import_not_last" });
    expect(await call("undo_book_import", [later])).toMatchObject([{ restored: 0, deleted: 1, kept: 0 }]);

    expect(await call("undo_book_import", [id])).toMatchObject([{ restored: 1, deleted: 1, kept: 3 }]);
    expect(await bookBy("T-1")).toMatchObject({ title: "Touched", price: 10, stock: 8, subject: "History" });
    expect(await bookBy("T-2")).toMatchObject({ title: "Ordered since", stock: 4 });
    expect(await bookBy("T-3")).toBeUndefined();
    expect(await bookBy("T-4")).toMatchObject({ price: 6 });
    expect(await stockOf(open(), touched)).toBe(8);
    expect((await refusalOf(call("undo_book_import", [id]))).detail).toEqual({
      code: "import_undone",
      status: "undone",
    });
  });

  test("puts a wrong price back though the book was ordered at it, and says which books it leaves and why", async () => {
    const book = (code: string) =>
      addBook(open(), { title: code, isbn: code, price: 10, stock: 9, subject: "Art" });
    const [cheap, repriced, restored, , deleted] = [
      await book("U-1"),
      await book("U-2"),
      await book("U-3"),
      await book("U-4"),
      await book("U-5"),
    ];
    const id = await stage([
      ...["U-1", "U-2", "U-3", "U-4", "U-5"].map((isbn, at) => ({
        line: at + 2,
        isbn,
        price: 1,
        subject: "Music",
      })),
      { line: 7, isbn: "U-6", title: "New, ordered", price: 1, stock_quantity: 5 },
      { line: 8, isbn: "U-7", title: "New, edited", price: 1 },
      { line: 9, isbn: "U-8", title: "New", price: 1 },
    ]);
    await call("apply_book_import", [id]);
    const ordered = await bookBy("U-6");
    const placed = await order(open(), customer, [
      [{ ...cheap, price: 1 }, 2],
      [{ id: String(ordered?.id), title: "New, ordered", price: 1, stock: 5 }, 1],
    ]);
    await open().as(admin, async (query) => {
      await query("update public.books set price = 12 where isbn = 'U-2'");
      await query("update public.books set price = 10, subject = 'Art' where isbn = 'U-3'");
      await query("update public.books set shelf = 'B4' where isbn in ('U-4', 'U-7')");
      await query("delete from public.books where isbn = 'U-5'");
    });
    expect(await call("undo_book_import", [id])).toMatchObject([{ restored: 3, deleted: 1, kept: 4 }]);
    expect(await bookBy("U-1")).toMatchObject({ price: 10, stock: 7, subject: "Art" });
    expect(await bookBy("U-2")).toMatchObject({ price: 12, subject: "Art" });
    expect(await bookBy("U-4")).toMatchObject({ price: 10, subject: "Art" });
    expect(await bookBy("U-6")).toMatchObject({ price: 1, stock: 4 });
    const lines = "select price::int as price from public.order_items where order_id = $1 order by quantity";
    expect((await open().query(lines, [placed])).map(({ price }) => price)).toEqual([1, 1]);
    const left =
      "select line, kept, kept_fields from public.book_import_rows where import_id = $1 and kept is not null order by line";
    expect(await open().query(left, [id])).toEqual([
      { line: 3, kept: "changed", kept_fields: ["price"] },
      { line: 4, kept: "put_back", kept_fields: null },
      { line: 6, kept: "deleted", kept_fields: null },
      { line: 7, kept: "ordered", kept_fields: null },
      { line: 8, kept: "edited", kept_fields: null },
    ]);
    await open().query("delete from public.books where id = any ($1)", [
      [cheap.id, repriced.id, restored.id, deleted?.id],
    ]);
  });

  const problemsOf = async (id: string) =>
    Object.fromEntries(
      (await call("preview_book_import", [id])).map(({ line, action, problems }) => [
        line,
        [action, problems],
      ]),
    );

  test("a row with a book's id changes that book, even if another has the same ISBN", async () => {
    const isbn = "9780521497817";
    const one = await addBook(open(), { title: "Twin one", isbn, price: 10 });
    const other = await addBook(open(), { title: "Twin other", isbn: "0521497817", price: 20 });
    const id = await stage([
      { line: 2, id: other.id, title: "Twin other", isbn: "978-0-521-49781-7", price: 21 },
      { line: 3, id: one.id.toUpperCase(), title: "Twin one", isbn, price: "10.00" },
      { line: 4, id: one.id, title: "Twin one", price: 11 },
      { line: 5, isbn, price: 12 },
    ]);
    expect(await problemsOf(id)).toEqual({
      2: ["update", []],
      3: ["unchanged", []],
      4: ["refused", ["The same book is in line 3."]],
      5: [
        "refused",
        [
          "2 books in the shop have this ISBN. Add the ID from an export to say which one.",
          "The same ISBN is in line 3.",
        ],
      ],
    });
    await call("apply_book_import", [id, true]);
    const prices = await open().query(
      "select title, price::int as price, isbn from public.books where isbn_key = $1 order by title",
      [isbn],
    );
    expect(prices).toEqual([
      { title: "Twin one", price: 10, isbn },
      { title: "Twin other", price: 21, isbn: "9780521497817" },
    ]);
    await open().query("delete from public.books where isbn_key = $1", [isbn]);
  });

  test("a book's ISBN can be corrected by its id, and undo restores the old one", async () => {
    const book = await addBook(open(), { title: "Mistyped", isbn: "WRONG-1" });
    const id = await stage([{ line: 2, id: book.id, isbn: "RIGHT-1" }]);
    await call("apply_book_import", [id]);
    expect(await bookBy("RIGHT-1")).toMatchObject({ id: book.id });
    await call("undo_book_import", [id]);
    expect(await bookBy("WRONG-1")).toMatchObject({ id: book.id });
  });

  test("another shop's id becomes the new book's, once; a deleted book is not brought back", async () => {
    const otherId = "0b5c1f1e-0000-4000-8000-00000000000a";
    const rows = [
      { line: 2, id: otherId, title: "From another shop" },
      { line: 3, id: "not an id", title: "Numbered by its supplier", isbn: "SUP-1" },
    ];
    const id = await stage(rows);
    await call("apply_book_import", [id]);
    expect(await problemsOf(await stage(rows))).toEqual({ 2: ["unchanged", []], 3: ["unchanged", []] });
    await call("undo_book_import", [id]);

    const gone = await addBook(open(), { title: "Gone" });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [gone.id]));
    expect(await problemsOf(await stage([{ line: 2, id: gone.id, title: "Gone", price: 5 }]))).toEqual({
      2: [
        "refused",
        ["This book was deleted from the shop. Restore it in Activity, or empty its ID to add it again."],
      ],
    });
  });

  test("a row with an impossible ISBN is refused, unless the book already has it", async () => {
    const book = await addBook(open(), { title: "Coded", isbn: "12-03-26", price: 50 });
    const isbn_problem = "It is a date.";
    const id = await stage([
      { line: 2, id: book.id, isbn: "12-03-26", isbn_problem },
      { line: 3, isbn: "12-03-26", isbn_problem, title: "Coded" },
      { line: 4, id: book.id.replace(/.$/, "x"), isbn: "9.78E+12", isbn_problem, title: "A" },
      { line: 5, isbn: "9.78E+12", isbn_problem, title: "B" },
    ]);
    expect(await problemsOf(id)).toEqual({
      2: ["unchanged", []],
      3: ["refused", [isbn_problem]],
      4: ["refused", [isbn_problem]],
      5: ["refused", [isbn_problem]],
    });
  });

  test("the rows left out are listed with their cells and reasons, before and after applying", async () => {
    const [created] = await call("create_book_import", [
      "x.csv",
      5,
      0,
      null,
      JSON.stringify(["Title", "Shelf"]),
    ]);
    const id = created?.create_book_import;
    const shifted = "The row has more cells than there are headings.";
    await call("stage_book_import_rows", [
      id,
      [
        { line: 2, cells: ["Good", "A"], title: "Good" },
        { line: 3, cells: ["", "B"], title: "" },
        { line: 4, cells: ["C", "C", "C"], problems: [shifted, null, " "] },
      ],
    ]);
    const expected = [
      { line: 3, problems: ["The title is missing."], cells: ["", "B"] },
      { line: 4, problems: [shifted], cells: ["C", "C", "C"] },
    ];
    expect(await call("list_rows_left_out", [id])).toEqual(expected);
    await call("apply_book_import", [id, true]);
    expect(await call("list_rows_left_out", [id])).toEqual(expected);
    expect(await call("list_rows_left_out", [id, 3, 1])).toEqual([expected[1]]);
    const [good] = await open().query(
      "select cells from public.book_import_rows where import_id = $1 and line = 2",
      [id],
    );
    expect(good).toEqual({ cells: null });
    const [known] = await open().query("select headings from public.book_imports where id = $1", [id]);
    expect(known).toEqual({ headings: ["Title", "Shelf"] });
  });

  test("only staff import: an admin or the secret key", async () => {
    const id = await stage([{ line: 2, title: "Staff" }]);
    for (const person of [customer, moderator]) {
      for (const [name, parameters] of [
        ["create_book_import", []],
        ["stage_book_import_rows", [id, []]],
        ["summarise_book_import", [id]],
        ["preview_book_import", [id]],
        ["list_rows_left_out", [id]],
        ["apply_book_import", [id]],
        ["undo_book_import", [id]],
      ] as [string, unknown[]][]) {
        expect((await refusalOf(call(name, parameters, person))).detail).toMatchObject({
          code: "duty_missing",
        });
        expect((await refusalOf(call(name, parameters, visitor))).code).toBe("42501");
      }
      expect(await open().as(person, (query) => query("select * from public.book_import_rows"))).toEqual([]);
      expect(await open().as(person, (query) => query("select * from public.book_imports"))).toEqual([]);
    }
    await call("apply_book_import", [id], secretKey);
  });

  test("malformed rows are refused", async () => {
    const [created] = await call("create_book_import", []);
    for (const rows of [
      {},
      "x",
      5,
      null,
      [1],
      [[]],
      [{}],
      [{ line: "2" }],
      [{ line: -1 }],
      [{ line: 1.5 }],
    ]) {
      const refusal = await refusalOf(
        call("stage_book_import_rows", [created?.create_book_import, JSON.stringify(rows)]),
      );
      expect([rows, refusal.detail?.code]).toEqual([rows, "invalid_rows"]);
    }
    expect((await refusalOf(call("stage_book_import_rows", [customer.id, []]))).detail).toEqual({
      code: "import_not_found",
    });
  });

  test("thousands of rows are imported in one go, and undone", { tags: "long" }, async () => {
    const [created] = await call("create_book_import", ["big.csv", 50, 1]);
    const id = created?.create_book_import;
    const chunks = inGateOrLong(4, 20);
    const rows = chunks * 500;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const part = Array.from({ length: 500 }, (_, i) => {
        const number = chunk * 500 + i;
        return { line: number + 2, title: `Imported ${number}`, isbn: `BIG-${number}`, price: number % 700 };
      });
      expect(await call("stage_book_import_rows", [id, part])).toEqual([{ stage_book_import_rows: 500 }]);
    }
    expect(await call("apply_book_import", [id])).toMatchObject([{ added: rows, refused: 0 }]);
    const [count] = await open().as(visitor, (query) =>
      query(`select ${searchCall("count_books")}`, [{ q: "imported" }]),
    );
    expect(count).toEqual({ count_books: rows });
    expect(await call("undo_book_import", [id])).toMatchObject([{ restored: 0, deleted: rows, kept: 0 }]);
  });
});
