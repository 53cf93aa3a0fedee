import { beforeAll, expect, test } from "vitest";
import { keptData } from "#app/features/law/kept-data.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { acceptQuote, offerQuote } from "#tests/support/quotes.ts";

describeDatabase("Names on old orders", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });

  type Given = { years: number; status: string; paid?: number; isDeleted?: boolean };

  /** An order of this age that costs 50 cedis, with a name and a note. */
  async function addOrder({ years, status, paid = 0, isDeleted = false }: Given) {
    const id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 1]]);
    await open().query(
      `update public.orders set recipient_name = 'Ama', customer_reference = 'PO 7', created_at = now() - make_interval(years => $2, days => 1)
        where id = $1`,
      [id, years],
    );
    await open().as(admin, async (query) => {
      if (paid > 0)
        await query(
          "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', $2::numeric, current_date)",
          [id, paid],
        );
      await query("update public.orders set status = $2 where id = $1", [id, status]);
      if (isDeleted) await query("delete from public.orders where id = $1", [id]);
    });
    return id;
  }

  const count = async (years: number) =>
    (
      await open().as(admin, (query) =>
        query<{ orders: number }>("select public.count_old_orders($1) as orders", [years]),
      )
    )[0]?.orders;
  const forget = async (most = 500) =>
    (await open().query<{ orders: number }>("select private.forget_old_orders($1) as orders", [most]))[0]
      ?.orders;
  const setYears = (years: number) =>
    open().query(
      `insert into public.shop_settings (id, value) values ('forgetOrdersAfterYears', to_jsonb($1::int))
       on conflict (id) do update set value = excluded.value`,
      [years],
    );
  const namesOf = async (id: string) => {
    const [row] = await open().query<{ all: string }>(
      `select coalesce((select o::text from public.orders o where o.id = $1), '')
              || coalesce((select string_agg(l.before::text || coalesce(l.after::text, ''), '') from public.audit_log l where l.row_id = $1::text), '')
              as all`,
      [id],
    );
    return ["Ama", "PO 7"].filter((name) => row?.all.includes(name));
  };

  test("names go from old orders that are delivered and paid, or cancelled, or deleted, as many as were counted", async () => {
    const old = [
      await addOrder({ years: 3, status: "delivered", paid: 50 }),
      await addOrder({ years: 3, status: "cancelled" }),
      await addOrder({ years: 4, status: "pending", isDeleted: true }),
    ];
    const others = [
      await addOrder({ years: 2, status: "delivered", paid: 50 }),
      await addOrder({ years: 3, status: "delivered" }),
      await addOrder({ years: 3, status: "delivered", paid: 20 }),
      await addOrder({ years: 3, status: "cancelled", paid: 50 }),
      await addOrder({ years: 3, status: "pending", paid: 50 }),
      await addOrder({ years: 3, status: "shipped", paid: 50 }),
    ];
    expect(await forget(), "off by default").toBe(0);
    expect(await count(3)).toBe(old.length);
    await setYears(3);
    const steps = [await forget(2), await forget(2), await forget(2)];
    expect(steps).toEqual([2, 1, 0]);
    for (const id of old) expect(await namesOf(id)).toEqual([]);
    for (const id of others) expect(await namesOf(id)).toEqual(["Ama", "PO 7"]);
    expect(await count(3)).toBe(0);
    expect(
      await open().query("select total_amount::float8 as total from public.orders where id = $1", [old[0]]),
    ).toEqual([{ total: 50 }]);
  });

  test("what names people goes from their quotes too, and from the log about them", async () => {
    const book = await addBook(open(), { price: 50 });
    const { id, version } = await offerQuote(open(), { customer, admin }, [[book, 1, 50]]);
    const orderId = await acceptQuote(open(), customer, id, version);
    await open().query(
      "update public.orders set created_at = now() - interval '4 years', status = 'cancelled' where id = $1",
      [orderId],
    );
    // How and to which region something is delivered names nobody, and stays as with orders.
    const stays = ["region", "delivery_method"];
    const named = (keptData.find(({ columns }) => columns["public.quotes"])?.columns["public.quotes"] ?? "")
      .split(" ")
      .filter((column) => !stays.includes(column));
    expect(named).toContain("purchase_order_number");
    const all = named.map((column) => `${column} = 'Ama'`).join(", ");
    await open().query(`update public.quotes set ${all} where id = $1`, [id]);
    await open().query(`update public.quotes set note = note || '!' where id = $1`, [id]);
    await setYears(3);
    expect(await forget()).toBe(1);
    const [found] = await open().query<{ quote: Record<string, unknown>; log: string }>(
      `select to_jsonb(q) as quote,
              (select string_agg(l.before::text || coalesce(l.after::text, ''), '') from public.audit_log l where l.row_id = q.id::text) as log
         from public.quotes q where id = $1`,
      [id],
    );
    expect(named.filter((column) => found?.quote[column] !== null)).toEqual([]);
    expect(found?.log).not.toContain("Ama");
  });

  test("only staff count them", async () => {
    const asking = open().as(customer, (query) => query("select public.count_old_orders(1)"));
    expect(await refusalOf(asking)).toMatchObject({ code: "PT403" });
  });
});
