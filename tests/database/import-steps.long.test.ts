import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  movementsOf,
  order,
  stockOf,
} from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("Importing books in steps", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });
  beforeEach(async () => {
    await open().run(
      "delete from public.book_imports; delete from public.books; delete from private.gone_books",
    );
  });

  const call = (name: string, parameters: unknown[]) =>
    open().as(admin, (query) =>
      query(`select * from public.${name}(${parameters.map((_, i) => `$${i + 1}`).join(", ")})`, parameters),
    );
  const stage = async (rows: Row[]) => {
    const [created] = await call("create_book_import", ["books.csv", 50, 3, null, null, null, true]);
    const id = String(created?.create_book_import);
    await call("stage_book_import_rows", [id, rows.map((row, at) => ({ line: at + 2, ...row }))]);
    return id;
  };
  const step = async (id: string, rows = 2) => (await call("apply_book_import", [id, true, rows]))[0] as Row;
  const undoStep = async (id: string, rows = 2) => (await call("undo_book_import", [id, rows]))[0] as Row;
  const applyAll = async (id: string, rows: number) => {
    for (;;) if ((await step(id, rows)).status === "applied") return;
  };
  const importOf = async (id: string) =>
    (await open().query("select * from public.book_imports where id = $1", [id]))[0] as Row;
  const books = () =>
    open().query(
      "select title, isbn, price::int as price, stock_quantity from public.books order by title, isbn",
    );
  const newBooks = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ title: `New ${at}`, isbn: `NEW-${at}`, stock_quantity: 4 }));

  test("every row has the same result whether a step has one row, three or all of them", async () => {
    const one = await addBook(open(), { title: "Twin one", isbn: "TWIN-1", price: 10, stock: 1 });
    await addBook(open(), { title: "Twin other", isbn: "TWIN-1", price: 10, stock: 1 });
    await addBook(open(), { title: "Known", isbn: "KNOWN-1", price: 10, stock: 1 });
    const otherId = (number: number) => `0b5c1f1e-0000-4000-8000-00000000000${number}`;
    const rows = [
      { title: "Known, renamed", isbn: "KNOWN-1" },
      { title: "Added", isbn: "ADDED-1" },
      { title: "Added again", isbn: "added 1" },
      { title: "Known once more", isbn: "known 1" },
      { id: otherId(1), title: "Their twin", isbn: "THEIRS-1" },
      { id: otherId(2), title: "Their other twin", isbn: "THEIRS-1" },
      { id: otherId(1), title: "Their twin again", isbn: "THEIRS-1" },
      { title: "Which of the twins?", isbn: "TWIN-1" },
      { id: one.id, title: "Twin one, dearer", isbn: "TWIN-1", price: 11 },
      { title: "", isbn: "UNTITLED-1" },
      { title: "Titled", isbn: "UNTITLED-1" },
    ];
    const results: unknown[] = [];
    for (const rowsPerStep of [100, 3, 1]) {
      const id = await stage(rows);
      await applyAll(id, rowsPerStep);
      const done = await open().query(
        "select line, action, problems, after ->> 'title' as title from public.book_import_rows where import_id = $1 order by line",
        [id],
      );
      const { added, updated, unchanged, refused, applied_rows, total_rows } = await importOf(id);
      results.push({
        done,
        books: await books(),
        counts: [added, updated, unchanged, refused, applied_rows, total_rows],
      });
      await call("undo_book_import", [id]);
    }
    expect(results[0]).toMatchObject({ counts: [3, 1, 0, 7, 11, 11] });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test("a step that is cut off changes nothing, and the next one continues there", async () => {
    const existing = await addBook(open(), { title: "Known", isbn: "KNOWN-1", stock: 1 });
    const id = await stage([...newBooks(3), { title: "Known", isbn: "KNOWN-1", stock_quantity: 9 }]);
    expect(await step(id)).toMatchObject({ status: "applying", applied_rows: 2, total_rows: 4, added: 2 });

    await open().transaction(async (query) => {
      await query("select from public.books where id = $1 for update", [existing.id]);
      const cut = step(id).then(
        () => "done",
        () => "cut",
      );
      let waiting: Row[] = [];
      while (waiting.length === 0) {
        waiting = await open().query(
          `select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query ~ 'apply_book_import'`,
        );
      }
      expect(await cut).toBe("cut");
    });
    expect(await importOf(id)).toMatchObject({ status: "applying", applied_rows: 2, added: 2, updated: 0 });
    expect(await books()).toHaveLength(3);

    await applyAll(id, 2);
    expect(await importOf(id)).toMatchObject({ status: "applied", applied_rows: 4, added: 3, updated: 1 });
    expect(await books()).toHaveLength(4);
    expect(await movementsOf(open(), existing)).toEqual(["8 import"]);
    expect((await refusalOf(step(id))).detail).toMatchObject({ code: "import_applied" });
    const log = await open().query("select action from public.audit_log where row_id = $1", [id]);
    expect(log).toEqual([{ action: "import" }]);
  });

  test("a partly applied import is undone in steps, and keeps what has been ordered in between", async () => {
    const existing = await addBook(open(), { title: "Known", isbn: "KNOWN-1", price: 20, stock: 5 });
    const id = await stage([{ title: "Known", isbn: "KNOWN-1", stock_quantity: 9 }, ...newBooks(4)]);
    await step(id, 1);
    await order(open(), customer, [[existing, 2]]);
    await step(id, 2);
    expect(await stockOf(open(), existing)).toBe(7);

    expect(await undoStep(id)).toMatchObject({ status: "undoing", applied_rows: 1, deleted: 2, restored: 0 });
    expect((await refusalOf(step(id))).detail).toEqual({ code: "import_undoing", status: "undoing" });
    expect(await undoStep(id)).toMatchObject({
      status: "undone",
      applied_rows: 0,
      total_rows: 5,
      deleted: 2,
      restored: 1,
      kept: 0,
    });
    expect(await stockOf(open(), existing)).toBe(3);
    expect(await books()).toMatchObject([{ title: "Known", stock_quantity: 3 }]);
    expect(await movementsOf(open(), existing)).toEqual(["4 import", "-2 order", "-4 import"]);
  });

  test("an order between two steps takes its copies from what the step has left", async () => {
    const existing = await addBook(open(), { title: "Known", isbn: "KNOWN-1", price: 20, stock: 5 });
    const id = await stage([
      ...newBooks(2),
      { title: "Known", isbn: "KNOWN-1" },
      { title: "Later", isbn: "LATER-1" },
    ]);
    await step(id);
    await order(open(), customer, [[existing, 2]]);
    await applyAll(id, 1);
    expect(await stockOf(open(), existing)).toBe(3);
    expect(await importOf(id)).toMatchObject({ added: 3, updated: 0, unchanged: 1 });
  });

  test("concurrent calls for one import apply each row once", async () => {
    const id = await stage(newBooks(12));
    const worker = async () => {
      for (;;) {
        const now = await step(id).catch((error: { detail?: string }) => {
          if (error.detail?.includes("import_applied")) return { status: "applied" };
          throw error;
        });
        if (now.status === "applied") return;
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(await importOf(id)).toMatchObject({ status: "applied", applied_rows: 12, added: 12 });
    expect(await books()).toHaveLength(12);
  });

  test("no other import begins while one is partly applied, and the two add a new book once", async () => {
    const [id, other] = [await stage(newBooks(3)), await stage(newBooks(3))];
    await step(id);
    const refusal = await refusalOf(step(other));
    expect(refusal).toMatchObject({ code: "PT409", detail: { code: "import_unfinished", import_id: id } });
    await step(id);
    expect(await step(other, 10)).toMatchObject({ status: "applied", added: 0, unchanged: 3 });
    expect((await refusalOf(undoStep(id))).detail).toEqual({ code: "import_not_last" });

    const [one, two] = [
      await stage([{ title: "Both", isbn: "BOTH" }]),
      await stage([{ title: "Both", isbn: "BOTH" }]),
    ];
    await Promise.all([step(one), step(two)]);
    expect((await books()).filter(({ isbn }) => isbn === "BOTH")).toHaveLength(1);
  });

  test("unless they may be skipped, rows with problems stop their step", async () => {
    const id = await stage([...newBooks(2), { title: "" }, { title: "Later" }]);
    const strict = () => call("apply_book_import", [id, false, 2]);
    await strict();
    expect(await refusalOf(strict())).toMatchObject({
      code: "PT409",
      detail: { code: "import_has_problems", refused: 1 },
      message: "Problems in the next step: 1. Rows imported so far: 2 of 4.",
    });
    expect(await importOf(id)).toMatchObject({ status: "applying", applied_rows: 2 });
    expect(await call("list_rows_left_out", [id])).toEqual([]);
    await applyAll(id, 2);
    expect(await call("list_rows_left_out", [id])).toMatchObject([{ line: 4 }]);
    expect(await call("list_rows_left_out", [id, 0, 500, 3])).toEqual([]);
  });

  /** How many staged rows, books and entries of their indexes the dry run of an import reads. */
  const rowsReadFor = (id: string) =>
    open().transaction(async (query) => {
      const read = async () => {
        const [found] = await query<{ rows: number }>(
          `select sum(pg_stat_get_xact_tuples_returned(c) + pg_stat_get_xact_tuples_fetched(c)
                   + (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = c))::int as rows
             from unnest('{public.book_import_rows,public.books}'::regclass[]) as t, cast(t as oid) as c`,
        );
        return Number(found?.rows);
      };
      // The connection's earlier transactions of the last second are counted too.
      const before = await read();
      await query("select from private.summarise_book_import($1, 0, null)", [id]);
      return (await read()) - before;
    });

  test.each(["it was staged", "it was applied", "the next one"])(
    "a row's look-ups don't read whole tables, though their statistics are from before %s",
    async (moment) => {
      const analyze = () => open().run("analyze public.book_import_rows; analyze public.books");
      if (moment === "it was staged") await analyze();
      const first = await stage(newBooks(400));
      if (moment === "it was applied") await analyze();
      await applyAll(first, 400);
      if (moment === "the next one") await analyze();
      const id = await stage(newBooks(400));
      expect(await call("summarise_book_import", [id])).toMatchObject([{ unchanged: 400 }]);
      const read = await rowsReadFor(id);
      expect(read).toBeGreaterThan(400);
      expect(read).toBeLessThan(8_000);
    },
  );

  /** Has the statistics say that a table has some pages and so many rows. */
  const pretend = (table: string, rows: number) =>
    open().query(
      `update pg_class set relpages = 10, reltuples = $2
        where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`,
      [table, rows],
    );

  test.each([0, 1, 400])(
    "rows with one ISBN are not compared with each other, nor with 400 books that the statistics take for %i",
    async (rows) => {
      await applyAll(await stage(newBooks(400)), 400);
      await pretend("public.books", rows);
      const id = await stage(newBooks(1_000).map((book) => ({ ...book, isbn: "N/A" })));
      expect(await call("summarise_book_import", [id])).toMatchObject([{ added: 1, refused: 999 }]);
      const read = await rowsReadFor(id);
      expect(read).toBeGreaterThan(1_000);
      expect(read).toBeLessThan(20_000);
    },
  );

  test("an import that changes hundreds of books leaves one tally for each publisher", async () => {
    await applyAll(await stage(newBooks(300)), 300);
    await applyAll(await stage(newBooks(300).map((book) => ({ ...book, stock_quantity: 5 }))), 300);
    expect(
      await open().query("select copies::int, rows::int from private.tallies where counted = 'books'"),
    ).toEqual([{ copies: 1_500, rows: 300 }]);
  });

  test("a book that has been edited so that it can't be changed back stays as it is, and the import is undone", async () => {
    const long = "漢".repeat(200);
    const edited = await addBook(open(), { title: "Edited", isbn: "EDITED-1", course: long, subject: long });
    await addBook(open(), { title: "Other", isbn: "OTHER-1", course: long });
    const id = await stage([
      { title: "Edited", isbn: "EDITED-1", course: "Short" },
      { title: "Other", isbn: "OTHER-1", course: "Short" },
    ]);
    await applyAll(id, 2);
    await open().query("update public.books set title = $1 where id = $2", ["漢".repeat(500), edited.id]);
    expect(await undoStep(id)).toMatchObject({ status: "undone", restored: 1, kept: 1 });
    expect(await open().query("select course from public.books order by isbn")).toEqual([
      { course: "Short" },
      { course: long },
    ]);
  });

  test("a range of lines is summarised and shown on its own", async () => {
    const id = await stage([...newBooks(3), { title: "New again", isbn: "NEW-0" }]);
    expect(await call("summarise_book_import", [id, 3, 5])).toMatchObject([
      { rows: 2, added: 1, updated: 0, unchanged: 0, refused: 1 },
    ]);
    expect(await call("preview_book_import", [id, "refused", 4, 50, 5])).toMatchObject([
      { line: 5, problems: ["The same ISBN is in line 2."] },
    ]);
    expect(await call("preview_book_import", [id, null, 2, 50, 3])).toMatchObject([{ line: 3 }]);
  });
});
