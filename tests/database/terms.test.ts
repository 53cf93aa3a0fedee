import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";
import { acceptQuote, offerQuote } from "#tests/support/quotes.ts";

describeDatabase("The terms' version", (open) => {
  let admin: SignedIn;
  const versions: number[] = [];
  const setFirst = (texts: object) =>
    open().query("select private.set_first_settings($1::text::jsonb)", [JSON.stringify(texts)]);
  const latest = async () =>
    (
      await open().query<{ version: number; terms: string; delivery_and_returns: string }>(
        "select version, terms, delivery_and_returns from public.terms_versions order by version desc limit 1",
      )
    )[0];
  const versionOf = async (table: "orders" | "profiles", id: string) =>
    (await open().query(`select terms_version from public.${table} where id = $1`, [id]))[0]?.terms_version;

  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    await setFirst({ terms: "First", deliveryAndReturns: "Free" });
    versions.push((await latest())?.version ?? 0);
  });

  test("texts that apply first make one version, and the next start with them none", async () => {
    expect(await latest()).toMatchObject({ terms: "First", delivery_and_returns: "Free" });
    await setFirst({ terms: "First", deliveryAndReturns: "Free" });
    expect((await latest())?.version).toBe(versions[0]);
  });

  test("accounts, orders and accepted quotes have the version of their time, also after a change", async () => {
    const early = await addCustomer(open());
    const book = await addBook(open(), { price: 10, stock: 20 });
    const before = await order(open(), early, [[book, 1]]);
    await open().as(admin, (query) =>
      query("select public.update_settings($1::text::jsonb, '{}')", [
        JSON.stringify({ terms: "Second", deliveryAndReturns: "Not free" }),
      ]),
    );
    const changed = await latest();
    expect(changed).toMatchObject({ terms: "Second", delivery_and_returns: "Not free" });
    expect(changed?.version).toBeGreaterThan(versions[0] ?? 0);

    const after = await order(open(), early, [[book, 1]]);
    const late = await addCustomer(open());
    expect([await versionOf("orders", before), await versionOf("orders", after)]).toEqual([
      versions[0],
      changed?.version,
    ]);
    expect([await versionOf("profiles", early.id), await versionOf("profiles", late.id)]).toEqual([
      versions[0],
      changed?.version,
    ]);
    const quote = await offerQuote(open(), { customer: late, admin }, [[book, 1, 9]]);
    const accepted = await acceptQuote(open(), late, quote.id, quote.version);
    expect(await versionOf("orders", accepted)).toBe(changed?.version);
  });

  test("an order by phone has none", async () => {
    const customer = await addCustomer(open());
    const book = await addBook(open(), { price: 10 });
    const [row] = await open().as(admin, (query) =>
      query<{ id: string }>(
        "select public.place_order_for($1, $2, array[$3::uuid], array[1], 10, $4::jsonb) as id",
        [
          randomUUID(),
          customer.id,
          book.id,
          { shipping_address: "5 Castle Road", recipient_name: "Ama", recipient_phone: "024 412 3456" },
        ],
      ),
    );
    expect(await versionOf("orders", String(row?.id))).toBeNull();
  });

  test("a restored order keeps its version", async () => {
    const customer = await addCustomer(open());
    const id = await order(open(), customer, [[await addBook(open(), { price: 10 }), 1]]);
    const version = await versionOf("orders", id);
    await open().as(admin, async (query) => {
      await query("delete from public.orders where id = $1", [id]);
      await query("select public.restore_order($1)", [id]);
    });
    expect(await versionOf("orders", id)).toBe(version);
  });
});
