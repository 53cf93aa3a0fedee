import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { requestConsultation } from "#tests/support/consultations.ts";
import { addBook, addCustomer, addStaff, order, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { payOnline } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { requestQuoteFor } from "#tests/support/quotes.ts";

describeDatabase("Today's work", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    book = await addBook(open(), { price: 10, stock: 100 });
  });

  const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
    open().as(admin, (query) => query<Row & Record<string, unknown>>(sql, values));
  const work = async () =>
    (
      await asAdmin(
        `select to_pack::int, to_send::int, to_collect::int, unpaid::int, owed::int, owed_since::text,
                quotes_waiting::int, consultations_waiting::int, waiting_for_books::int from public.todays_work()`,
      )
    )[0];
  const placed = async (status: string, method = "deliver") => {
    const id = await order(open(), customer, [[book, 1]]);
    await open().query("update public.orders set status = $2, delivery_method = $3 where id = $1", [
      id,
      status,
      method,
    ]);
    return id;
  };

  test("counts the rows of the lists it links to, and shows what is owed and since when", async () => {
    await placed("pending");
    await placed("processing");
    await placed("processing", "bus_station");
    await placed("processing", "collect");
    // Nothing of digital titles alone is packed or sent.
    await placed("pending", "download");
    await placed("processing", "download");
    await placed("delivered");
    await placed("cancelled");
    await payOnline(open(), await placed("pending"), 10);
    const old = await placed("shipped");
    await open().query("update public.orders set created_at = '2026-02-03' where id = $1", [old]);
    const requested = await requestQuoteFor(open(), customer, [[book, 3]]);
    // What staff begin themselves is a draft of theirs, and nobody waits for it.
    const draft = randomUUID();
    await asAdmin("select public.begin_quote($1, null, 'A school', 'A teacher', null, '0244123456')", [
      draft,
    ]);
    await requestConsultation(open(), customer);
    const answered = await requestConsultation(open(), customer);
    await asAdmin("select public.answer_consultation($1, 1, gen_random_uuid(), 'Gladly')", [answered]);
    const gone = await addBook(open(), { stock: 0 });
    const back = await addBook(open(), { stock: 0 });
    for (const { id } of [gone, back])
      await open().query("insert into public.stock_alerts (user_id, book_id) values ($1, $2)", [
        customer.id,
        id,
      ]);
    await open().query("update public.books set stock_quantity = 3 where id = $1", [back.id]);

    expect(await work()).toEqual({
      to_pack: 2,
      to_send: 2,
      to_collect: 1,
      unpaid: 8,
      owed: 80,
      owed_since: "2026-02-03",
      quotes_waiting: 1,
      consultations_waiting: 1,
      waiting_for_books: 1,
    });
    const listed = async (filters: string) =>
      (await asAdmin(`select id from public.admin_list_orders(${filters})`)).length;
    expect(await listed("_status => 'pending', _method => 'pack'")).toBe(2);
    expect(await listed("_status => 'processing', _method => 'send'")).toBe(2);
    expect(await listed("_status => 'processing', _method => 'collect'")).toBe(1);
    expect(await listed("_payment => 'due'")).toBe(8);
    const quotes = (status: string) => asAdmin("select id from public.admin_list_quotes($1)", [status]);
    expect(await quotes("requested")).toEqual([{ id: requested }]);
    expect(await quotes("draft")).toEqual([{ id: draft }]);
    expect(
      await asAdmin("select book_id, waiting::int from public.report_wanted(_in_stock => true)"),
    ).toEqual([{ book_id: back.id, waiting: 1 }]);
  });

  test("sums the sales of several periods in their order, with zeros for periods without sales", async () => {
    await open().query("truncate public.orders cascade");
    const id = await placed("delivered");
    await open().query("update public.orders set created_at = '2026-02-03' where id = $1", [id]);
    const sums = (from: string[], to: string[]) =>
      asAdmin("select orders::int, copies::int, amount::int from public.sum_sales($1::date[], $2::date[])", [
        from,
        to,
      ]);
    expect(
      await sums(["2026-02-04", "2026-02-03", "2026-01-01"], ["2026-02-04", "2026-02-03", "2026-12-31"]),
    ).toEqual([
      { orders: 0, copies: 0, amount: 0 },
      { orders: 1, copies: 1, amount: 10 },
      { orders: 1, copies: 1, amount: 10 },
    ]);
    for (const [from, to] of [
      [["2026-02-04"], []],
      [["2026-02-04"], ["2026-02-03"]],
      [Array(11).fill("2026-02-04"), Array(11).fill("2026-02-04")],
    ] as [string[], string[]][])
      expect(await refusalOf(sums(from, to))).toMatchObject({ code: "PT400" });
  });
});
