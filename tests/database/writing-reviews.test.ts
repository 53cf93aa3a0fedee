import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  order,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

describeDatabase("Reviews by customers", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  /** A book, and a customer with an order of it. */
  async function orderedBook(): Promise<{ book: TestBook; buyer: SignedIn }> {
    const [book, buyer] = await Promise.all([addBook(open(), { stock: 50 }), addCustomer(open())]);
    await order(open(), buyer, [[book, 1]]);
    return { book, buyer };
  }
  const write = (person: SignedIn, book: { id: string }, rating: number | null, text: string | null = null) =>
    open().as(person, (query) => query("select public.write_review($1, $2, $3)", [book.id, rating, text]));
  const remove = (person: SignedIn, book: { id: string }) =>
    open().as(person, (query) => query("select public.delete_own_review($1)", [book.id]));
  const find = async (person: SignedIn, book: { id: string }) =>
    (await open().as(person, (query) => query("select * from public.find_own_review($1)", [book.id])))[0];
  const report = (person: SignedIn, id: string) =>
    open().as(person, (query) => query("select public.report_review($1)", [id]));
  const moderate = (id: string, hidden: boolean) =>
    open().as(admin, (query) => query("select public.moderate_review($1, $2)", [id, hidden]));
  const list = (state: string) =>
    open().as(admin, (query) =>
      query<Row & { id: string }>("select * from public.admin_list_reviews(_state => $1)", [state]),
    );
  const shown = (book: { id: string }) =>
    open().as(visitor, (query) =>
      query<Row & { id: string }>("select * from public.list_book_reviews($1)", [book.id]),
    );
  const ratingOf = async (book: { id: string }) =>
    (
      await open().query(
        "select average_rating::float8 as average, review_count as count from public.books where id = $1",
        [book.id],
      )
    )[0];
  const idOf = async (book: { id: string }) =>
    String(
      (await open().query<{ id: string }>("select id from public.reviews where book_id = $1", [book.id]))[0]
        ?.id,
    );

  test("a customer who ordered the book writes a review, once, changes and deletes it", async () => {
    const { book, buyer } = await orderedBook();
    expect(await find(buyer, book)).toEqual({
      may_review: true,
      rating: null,
      review_text: null,
      hidden: false,
    });
    await write(buyer, book, 4, "  Clear\r\nand short.\u0007 ");
    expect(await find(buyer, book)).toEqual({
      may_review: true,
      rating: 4,
      review_text: "Clear\nand short.",
      hidden: false,
    });
    await write(buyer, book, 2, " ");
    expect(await find(buyer, book)).toMatchObject({ rating: 2, review_text: null });
    expect(await ratingOf(book)).toEqual({ average: 2, count: 1 });
    await remove(buyer, book);
    await remove(buyer, book);
    expect(await find(buyer, book)).toMatchObject({ rating: null });
    expect(await ratingOf(book)).toEqual({ average: null, count: 0 });
  });

  test("a review is refused from those who have not ordered the book, or have only a cancelled order of it", async () => {
    const { book, buyer } = await orderedBook();
    const stranger = await addCustomer(open());
    await order(open(), stranger, [[await addBook(open()), 1]]);
    for (const person of [stranger, admin]) {
      expect((await refusalOf(write(person, book, 5))).detail).toEqual({ code: "not_ordered" });
      expect(await find(person, book)).toMatchObject({ may_review: false });
    }
    await open().query("update public.orders set status = 'cancelled' where user_id = $1", [buyer.id]);
    expect((await refusalOf(write(buyer, book, 5))).detail).toEqual({ code: "not_ordered" });
    const deleted = { id: "00000000-0000-4000-8000-000000000000" };
    expect((await refusalOf(write(buyer, deleted, 5))).detail).toEqual({ code: "book_not_found" });
  });

  test("a rating beyond 1 to 5 and a text of more than 2,000 characters are refused", async () => {
    const { book, buyer } = await orderedBook();
    for (const rating of [0, 6, null])
      expect((await refusalOf(write(buyer, book, rating))).detail).toMatchObject({ field: "rating" });
    expect((await refusalOf(write(buyer, book, 5, "x".repeat(2001)))).detail).toMatchObject({
      field: "review_text",
      limit: 2000,
    });
    await write(buyer, book, 5, "x".repeat(2000));
  });

  test("the same review sent twenty times at once is one", async () => {
    const { book, buyer } = await orderedBook();
    await Promise.all(Array.from({ length: 20 }, () => write(buyer, book, 3, "Sent twice")));
    expect(await ratingOf(book)).toEqual({ average: 3, count: 1 });
  });

  test("customers write and delete while staff delete, hide and the book goes: no one waits forever", async () => {
    const book = await addBook(open(), { stock: 50 });
    const buyers = await Promise.all(Array.from({ length: 6 }, () => addCustomer(open())));
    for (const buyer of buyers) await order(open(), buyer, [[book, 1]]);
    const staff = async () => {
      for (let i = 0; i < 5; i++) {
        await open().as(admin, (query) =>
          query("delete from public.reviews where book_id = $1 and rating = 1", [book.id]),
        );
        const [one] = await open().query<{ id: string }>("select id from public.reviews where book_id = $1", [
          book.id,
        ]);
        // Its writer may delete it first.
        if (one)
          await moderate(one.id, true).catch((error) => expect(error.message).toMatch(/no longer exists/));
      }
    };
    const writing = buyers.map(async (buyer) => {
      for (let i = 0; i < 4; i++) {
        await write(buyer, book, 1 + (i % 5), `Version ${i}`);
        if (i === 2) await remove(buyer, book);
      }
    });
    await Promise.all([staff(), ...writing]);
    const [counted] = await open().query(
      "select count(*)::int as count from public.reviews where book_id = $1 and hidden_at is null",
      [book.id],
    );
    expect(await ratingOf(book)).toMatchObject(counted ?? {});
  });

  test("more than 30 changes within an hour are refused", async () => {
    const { book, buyer } = await orderedBook();
    for (let i = 1; i <= 30; i++) await write(buyer, book, 1 + (i % 5));
    expect((await refusalOf(write(buyer, book, 2, "Again"))).detail).toMatchObject({
      code: "too_many_reviews",
      limit: 30,
    });
    expect((await refusalOf(remove(buyer, book))).detail).toMatchObject({ code: "too_many_reviews" });
  });

  test("readers report a review, once each; staff find it, and hide it or show it", async () => {
    const { book, buyer } = await orderedBook();
    await write(buyer, book, 1, "Rude words");
    const id = await idOf(book);
    const readers = await Promise.all([addCustomer(open()), addCustomer(open())]);
    for (const reader of [...readers, ...readers]) await report(reader, id);
    expect((await list("reported")).filter((row) => row.id === id)).toMatchObject([
      { reports: 2, hidden_at: null },
    ]);

    await moderate(id, true);
    expect(await list("reported")).toEqual([]);
    expect((await list("hidden")).map((row) => row.id)).toContain(id);
    expect(await shown(book)).toEqual([]);
    expect(await ratingOf(book)).toEqual({ average: null, count: 0 });
    const counted = await open().as(visitor, (query) =>
      query("select * from public.count_book_ratings($1)", [book.id]),
    );
    expect(counted).toEqual([]);
    expect(await find(buyer, book)).toMatchObject({ rating: 1, hidden: true });
    await write(buyer, book, 5, "Polite words");
    expect(await shown(book)).toEqual([]);
    await report(readers[0] ?? buyer, id);
    expect(await list("reported")).toEqual([]);

    await moderate(id, false);
    expect(await shown(book)).toMatchObject([{ id, rating: 5, review_text: "Polite words" }]);
    expect(await ratingOf(book)).toEqual({ average: 5, count: 1 });
    expect((await refusalOf(moderate(buyer.id, true))).detail).toEqual({ code: "review_not_found" });
  });

  test("one reader reports 20 reviews within a day at most", async () => {
    const reader = await addCustomer(open());
    const { book } = await orderedBook();
    const writers = await Promise.all(Array.from({ length: 21 }, () => addCustomer(open())));
    const reviews = await open().query<{ id: string }>(
      "insert into public.reviews (book_id, user_id, rating) select $1, id, 3 from unnest($2::uuid[]) as id returning id",
      [book.id, writers.map(({ id }) => id)],
    );
    for (const { id } of reviews.slice(0, 20)) await report(reader, id);
    expect((await refusalOf(report(reader, reviews[20]?.id ?? ""))).detail).toEqual({
      code: "too_many_reports",
      limit: 20,
    });
  });

  test("a customer who is forgotten leaves the stars, without text and reports", async () => {
    const { book, buyer } = await orderedBook();
    await write(buyer, book, 4, "My daughter at 5 Castle Road loved it");
    const other = await orderedBook();
    await write(other.buyer, other.book, 1, "Bad");
    await report(buyer, await idOf(other.book));
    await deliverOrders(open(), buyer);
    await open().query("select public.anonymise_customer($1)", [buyer.id]);
    expect(await shown(book)).toEqual([]);
    expect(await ratingOf(book)).toEqual({ average: 4, count: 1 });
    expect((await list("reported")).filter((row) => row.book_id === other.book.id)).toEqual([]);
    const logged = await open().query(
      "select from public.audit_log where table_name = 'reviews' and (before::text || after::text) like '%Castle Road%'",
    );
    expect(logged).toEqual([]);
  });
});
