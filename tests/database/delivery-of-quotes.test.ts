import { afterEach, beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { addCodeTitle } from "#tests/support/digital.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { acceptQuote, changeQuote, offerQuote, requestQuoteFor, sendQuote } from "#tests/support/quotes.ts";

describeDatabase("The delivery of a quote", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    book = await addBook(open(), { price: 50, stock: 1000 });
  });
  const setFees = (fees: object[]) => open().query("select private.set_delivery_fees($1::jsonb)", [fees]);
  const byRegion = [
    { regions: ["Volta"], fee: 45 },
    { method: "bus_station", fee: 15 },
    { below: 1000, fee: 30 },
  ];
  afterEach(() => setFees([]));

  const toVolta = { method: "deliver", region: "Volta", pricing: "fees" };
  const address = { shipping_address: "5 Castle Road" };
  const volta = { ...address, delivery_method: "deliver", region: "Volta" };
  const people = () => ({ admin, customer });
  const seenBy = async (person: SignedIn, id: string) => {
    const name = person === admin ? "admin_find_quote" : "find_own_quote";
    const [row] = await open().as(person, (query) =>
      query(
        `select delivery_method, region, delivery_pricing, delivery_fee::float8 from public.${name}($1)`,
        [id],
      ),
    );
    return row;
  };
  const orderOf = async (id: string) =>
    (
      await open().query(
        "select total_amount::float8 as total, delivery_fee::float8 as fee from public.orders where id = $1",
        [id],
      )
    )[0];

  test("starts from the request, or from the profile, and is a line of its own once it is sent", async () => {
    await setFees(byRegion);
    const id = await requestQuoteFor(open(), customer, [[book, 2]], { method: "deliver", region: "Volta" });
    const asked = { delivery_method: "deliver", region: "Volta", delivery_pricing: "fees" };
    expect(await seenBy(customer, id)).toEqual({ ...asked, delivery_fee: null });
    expect(await seenBy(admin, id)).toEqual({ ...asked, delivery_fee: 45 });
    await sendQuote(open(), admin, id, { fee: 45 });
    expect(await seenBy(customer, id)).toEqual({ ...asked, delivery_fee: 45 });
    const totals = await Promise.all([
      open().as(customer, (query) =>
        query("select total::float8 from public.list_own_quotes() where id = $1", [id]),
      ),
      open().as(admin, (query) =>
        query("select total::float8 from public.admin_list_quotes() where id = $1", [id]),
      ),
    ]);
    expect(totals).toEqual([[{ total: 145 }], [{ total: 145 }]]);
    const [email] = await open().query(
      "select private.email_quote(e) as quote from public.outgoing_emails e where kind = 'quote_sent' and event like $1",
      [`${id}:%`],
    );
    expect(email?.quote).toMatchObject({ delivery_fee: 45, delivery_pricing: "fees", region: "Volta" });

    const regular = await addCustomer(open());
    await open().query(
      "update public.profiles set delivery_method = 'bus_station', bus_station = 'VIP', region = 'Oti' where id = $1",
      [regular.id],
    );
    const known = await requestQuoteFor(open(), regular, [[book, 1]]);
    expect(await seenBy(regular, known)).toMatchObject({ delivery_method: "bus_station", region: "Oti" });
    for (const wrong of [{ method: "download" }, { method: "drone" }, { method: "deliver", region: "Togo" }])
      expect((await refusalOf(requestQuoteFor(open(), regular, [[book, 1]], wrong))).code).toBe("PT400");
  });

  test("is charged as sent, whatever the fees say by then", async () => {
    await setFees(byRegion);
    const { id, version } = await offerQuote(open(), people(), [[book, 2, 40]], toVolta);
    await setFees([{ fee: 99 }]);
    expect(await seenBy(customer, id)).toMatchObject({ delivery_fee: 45 });
    const accept = (total: number | null) =>
      acceptQuote(open(), customer, id, version, { delivery: volta, total });
    for (const total of [null, 80, 179])
      expect(await refusalOf(accept(total))).toEqual({
        code: "PT409",
        message: "With delivery, this order costs GH₵125.00. Please check it before you accept.",
        detail: { code: "total_changed", total: 125, delivery_fee: 45 },
      });
    expect(await orderOf(await accept(125))).toEqual({ total: 125, fee: 45 });
  });

  test("follows the fees for another way or region than quoted", async () => {
    await setFees(byRegion);
    for (const [delivery, total, fee] of [
      [{ ...volta, region: "Oti" }, 110, 30],
      [{ ...address, delivery_method: "bus_station", bus_station: "VIP", region: "Oti" }, 95, 15],
      [{ delivery_method: "collect" }, 80, 0],
    ] as const) {
      const { id, version } = await offerQuote(open(), people(), [[book, 2, 40]], toVolta);
      const refused = await refusalOf(acceptQuote(open(), customer, id, version, { delivery, total: 125 }));
      expect(refused.detail).toMatchObject({ total, delivery_fee: fee });
      expect(await orderOf(await acceptQuote(open(), customer, id, version, { delivery, total }))).toEqual({
        total,
        fee,
      });
    }
  });

  test("can be agreed, or included in the prices wherever it goes", async () => {
    await setFees(byRegion);
    const agreed = await offerQuote(open(), people(), [[book, 2, 40]], {
      ...toVolta,
      pricing: "agreed",
      fee: 7.5,
    });
    expect(await seenBy(customer, agreed.id)).toMatchObject({
      delivery_pricing: "agreed",
      delivery_fee: 7.5,
    });
    const elsewhere = { delivery: { ...volta, region: "Oti" }, total: 110 };
    await acceptQuote(open(), customer, agreed.id, agreed.version, elsewhere);
    const included = await offerQuote(open(), people(), [[book, 2, 40]], { ...toVolta, pricing: "included" });
    const free = await acceptQuote(open(), customer, included.id, included.version, {
      ...elsewhere,
      total: 80,
    });
    expect(await orderOf(free)).toEqual({ total: 80, fee: 0 });
    const draft = await requestQuoteFor(open(), customer, [[book, 1]]);
    for (const wrong of [
      { ...toVolta, pricing: "agreed" },
      { ...toVolta, pricing: "agreed", fee: -1 },
      { ...toVolta, pricing: "agreed", fee: 1.005 },
      { ...toVolta, pricing: "agreed", fee: "7" },
      { ...toVolta, pricing: "free" },
      { ...toVolta, method: "download" },
      { ...toVolta, region: "Togo" },
      {},
    ])
      expect(
        (await refusalOf(changeQuote(open(), admin, draft, [[book, 1, 5]], { delivery: wrong }))).code,
      ).toBe("PT400");
  });

  test("refuses to send a quote whose delivery fee is unknown or has changed", async () => {
    await setFees([{ regions: ["Volta"], fee: 45 }]);
    const id = await requestQuoteFor(open(), customer, [[book, 2]]);
    expect((await refusalOf(sendQuote(open(), admin, id))).detail).toMatchObject({
      field: "region",
      rule: "required",
    });
    await changeQuote(open(), admin, id, [[book, 2, 40]], { delivery: toVolta });
    expect(await refusalOf(sendQuote(open(), admin, id, { fee: 40 }))).toMatchObject({
      message: "Delivery now costs GH₵45.00. Check the quote before you send it.",
      detail: { code: "total_changed", delivery_fee: 45 },
    });
    await sendQuote(open(), admin, id, { fee: 45 });
    // Without a word about delivery it stays; as a draft, it follows the fees again.
    await setFees([{ fee: 60 }]);
    await changeQuote(open(), admin, id, [[book, 3, 40]]);
    expect(await seenBy(admin, id)).toEqual({
      delivery_method: "deliver",
      region: "Volta",
      delivery_pricing: "fees",
      delivery_fee: 60,
    });
  });

  test("is none where everything is digital, also once the titles were deleted", async () => {
    await setFees([{ fee: 20 }]);
    const codes = await addCodeTitle(open(), admin, 3);
    const { id, version } = await offerQuote(open(), people(), [[codes, 2, 5]], {
      ...toVolta,
      pricing: "agreed",
      fee: 9,
    });
    const downloaded = { delivery_method: "download", delivery_fee: 0 };
    expect(await seenBy(customer, id)).toMatchObject(downloaded);
    // What was agreed stays, for when a printed book is added.
    expect(await seenBy(admin, id)).toMatchObject({ delivery_pricing: "agreed", delivery_fee: 9 });
    const accepted = await acceptQuote(open(), customer, id, version, {
      delivery: { delivery_method: "download" },
      total: 10,
    });
    expect(await orderOf(accepted)).toEqual({ total: 10, fee: 0 });
    const mixed = await offerQuote(open(), people(), [[codes, 1, 5]], {
      ...toVolta,
      pricing: "agreed",
      fee: 9,
    });
    await changeQuote(open(), admin, mixed.id, [
      [codes, 1, 5],
      [book, 1, 5],
    ]);
    await sendQuote(open(), admin, mixed.id, { fee: 9 });
    expect(await seenBy(customer, mixed.id)).toMatchObject({ delivery_fee: 9 });
    const spare = await addCodeTitle(open(), admin, 1);
    const gone = await offerQuote(open(), people(), [[spare, 1, 5]]);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [spare.id]));
    expect(await seenBy(customer, gone.id)).toMatchObject(downloaded);
  });

  test("of a changed order is recalculated unless it was agreed or is included", async () => {
    await setFees([{ below: 100, fee: 20 }]);
    const accepted = async (pricing: object, delivery: Record<string, string>, total: number) => {
      const { id, version } = await offerQuote(open(), people(), [[book, 2, 40]], { ...toVolta, ...pricing });
      return acceptQuote(open(), customer, id, version, { delivery, total });
    };
    const feeAt = async (id: string, books: number) => {
      const [row] = await open().as(admin, (query) =>
        query("select public.find_changed_delivery_fee($1, $2, false)::float8 as fee", [id, books]),
      );
      return row?.fee;
    };
    const byFees = await accepted({}, volta, 100);
    expect([await feeAt(byFees, 99), await feeAt(byFees, 100)]).toEqual([20, 0]);
    const agreed = await accepted({ pricing: "agreed", fee: 7 }, volta, 87);
    expect([await feeAt(agreed, 99), await feeAt(agreed, 100)]).toEqual([7, 7]);
    const elsewhere = await accepted({ pricing: "agreed", fee: 7 }, { ...volta, region: "Oti" }, 100);
    expect(await feeAt(elsewhere, 100)).toBe(0);
    const included = await accepted({ pricing: "included" }, volta, 80);
    expect(await feeAt(included, 50)).toBe(0);
  });
});
