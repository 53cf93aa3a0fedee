import { beforeAll, expect, test } from "vitest";
import type { Query } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

/* Two sessions at the same row. The first holds its transaction open until the second waits for it. */

describeDatabase("While another session", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });

  /** Runs the first statement, starts the second, and commits the first once the second waits for a lock. */
  async function interleave(
    first: (query: Query) => Promise<unknown>,
    second: (query: Query) => Promise<unknown>,
  ) {
    let following: Promise<unknown> = Promise.resolve();
    await open().as(admin, async (query) => {
      await first(query);
      let pid = 0;
      following = open().as(admin, async (other) => {
        pid = (await other<{ pid: number }>("select pg_backend_pid() as pid"))[0]?.pid ?? 0;
        return second(other);
      });
      following.catch(() => {});
      await expect
        .poll(
          async () =>
            (
              await open().query(
                "select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
                [pid],
              )
            ).length,
          { timeout: 10_000, interval: 5 },
        )
        .toBe(1);
    });
    return following;
  }

  const deletionOf = async (id: string) =>
    (
      await open().query<{ id: string }>(
        "select id from public.audit_log where row_id = $1 and action = 'delete' order by id desc limit 1",
        [id],
      )
    )[0]?.id;
  const removeBook = (book: TestBook) => (query: Query) =>
    query("delete from public.books where id = $1", [book.id]);
  const removeOrder = (id: string) => (query: Query) =>
    query("delete from public.orders where id = $1", [id]);
  const setStatus = (id: string, status: string) => (query: Query) =>
    query("update public.orders set status = $2 where id = $1", [id, status]);
  const statusOf = async (id: string) =>
    (await open().query("select status from public.orders where id = $1", [id]))[0]?.status;

  test("deletes a book again, an old deletion does not come back", async () => {
    const book = await addBook(open(), { stock: 10 });
    await open().as(admin, removeBook(book));
    const first = await deletionOf(book.id);
    await open().as(admin, (query) => query("select public.restore_book($1)", [first]));
    await order(open(), customer, [[book, 7]]);
    const late = interleave(removeBook(book), (query) => query("select public.restore_book($1)", [first]));
    expect((await refusalOf(late)).detail).toEqual({ code: "not_last_deletion" });
    await open().as(admin, async (query) =>
      query("select public.restore_book($1)", [await deletionOf(book.id)]),
    );
    expect(await stockOf(open(), book)).toBe(3);
  });

  test("deletes an order as shipped, it is not restored as the earlier pending one", async () => {
    const book = await addBook(open(), { stock: 10 });
    const id = await order(open(), customer, [[book, 4]]);
    const restore = (query: Query) => query("select public.restore_order($1)", [id]);
    await open().as(admin, removeOrder(id));
    await open().as(admin, restore);
    await open().as(admin, setStatus(id, "shipped"));
    await interleave(removeOrder(id), restore);
    expect([await statusOf(id), await stockOf(open(), book)]).toEqual(["shipped", 6]);
  });

  test("cancels an order, shipping it takes its copies again", async () => {
    const book = await addBook(open(), { stock: 10 });
    const id = await order(open(), customer, [[book, 4]]);
    await interleave(setStatus(id, "cancelled"), setStatus(id, "shipped"));
    expect([await statusOf(id), await stockOf(open(), book)]).toEqual(["shipped", 6]);
  });

  test("cancels an order, deleting it returns nothing twice", async () => {
    const book = await addBook(open(), { stock: 10 });
    const id = await order(open(), customer, [[book, 4]]);
    await interleave(setStatus(id, "cancelled"), removeOrder(id));
    expect([await statusOf(id), await stockOf(open(), book)]).toEqual([undefined, 10]);
  });

  test("restores a book, its order's copies return to it", async () => {
    const book = await addBook(open(), { stock: 10 });
    const id = await order(open(), customer, [[book, 4]]);
    await open().as(admin, removeBook(book));
    const deletion = await deletionOf(book.id);
    await interleave(
      (query) => query("select public.restore_book($1)", [deletion]),
      setStatus(id, "cancelled"),
    );
    expect(await stockOf(open(), book)).toBe(10);
  });

  test("deletes a book, its order's copies return to the archived row", async () => {
    const book = await addBook(open(), { stock: 10 });
    const id = await order(open(), customer, [[book, 4]]);
    await interleave(removeBook(book), setStatus(id, "cancelled"));
    await open().as(admin, async (query) =>
      query("select public.restore_book($1)", [await deletionOf(book.id)]),
    );
    expect(await stockOf(open(), book)).toBe(10);
  });

  test("imports over a book, an edit of it waits and neither change is lost", async () => {
    const book = await addBook(open(), { stock: 10, isbn: "9780306406157" });
    const [made] = await open().as(admin, (query) =>
      query<{ id: string }>("select public.create_book_import(_sets_stock => true) as id"),
    );
    await open().as(admin, (query) =>
      query("select public.stage_book_import_rows($1, $2::jsonb)", [
        made?.id,
        [{ line: 2, title: book.title, isbn: "9780306406157", price: 7, stock_quantity: 20 }],
      ]),
    );
    const id = await order(open(), customer, [[book, 4]]);
    await interleave(
      (query) => query("select public.apply_book_import($1)", [made?.id]),
      setStatus(id, "cancelled"),
    );
    expect(await stockOf(open(), book)).toBe(24);
  });
});
