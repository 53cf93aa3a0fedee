import { afterEach, beforeAll, expect, test } from "vitest";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  fillCart,
  placeOrder,
  stockOf,
} from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { offerQuote } from "#tests/support/quotes.ts";

describeOnOwnServerToo("Delivery", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });

  const setFees = (fees: object[]) => open().query("select private.set_delivery_fees($1::jsonb)", [fees]);
  afterEach(() => setFees([]));

  const feeOf = async (region: string | null, method: string, total: number) => {
    const [row] = await open().as(customer, (query) =>
      query("select public.delivery_fee($1, $2, $3)::float8 as fee", [region, method, total]),
    );
    return row?.fee;
  };

  /** Orders one copy of a new book at 50 cedis. */
  const orderWith = async (delivery: object, total = 50) => {
    const book = await addBook(open(), { price: 50, stock: 5 });
    await fillCart(open(), customer, [[book, 1]]);
    try {
      return await placeOrder(open(), customer, { total, ...delivery });
    } finally {
      await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
    }
  };

  test("is stored with the order as it was typed, cleaned", async () => {
    expect(
      await orderWith({
        region: "Ashanti",
        landmark: "  Opposite the\npost office ",
        digital_address: "ak 039 5028",
        delivery_method: "bus_station",
        bus_station: " VIP, Asafo ",
        delivery_note: " Call first ",
      }),
    ).toMatchObject({
      region: "Ashanti",
      landmark: "Opposite the post office",
      digital_address: "AK-039-5028",
      delivery_method: "bus_station",
      bus_station: "VIP, Asafo",
      delivery_note: "Call first",
      delivery_fee: "0.00",
    });
    expect(await orderWith({ delivery_method: null, delivery_fee: null })).toMatchObject({
      region: null,
      delivery_method: "deliver",
      delivery_fee: "0.00",
    });
  });

  test.each([
    [{ region: "Brong-Ahafo" }, "region", "choice"],
    [{ delivery_method: "drone" }, "delivery_method", "choice"],
    [{ digital_address: "GA-1" }, "digital_address", "digital_address"],
    [{ landmark: "x".repeat(201) }, "landmark", "max_length"],
    [{ delivery_note: "x".repeat(501) }, "delivery_note", "max_length"],
    [{ delivery_method: "bus_station", bus_station: " " }, "bus_station", "required"],
    [{ bus_station: "x".repeat(201) }, "bus_station", "max_length"],
  ])("is refused in words: %j", async (delivery, field, rule) => {
    expect(await refusalOf(orderWith(delivery))).toMatchObject({
      code: "PT400",
      detail: { code: "invalid_field", field, rule },
    });
  });

  test("is free unless the owner decides otherwise", async () => {
    expect(await feeOf("Ashanti", "deliver", 1)).toBe(0);
  });

  test("costs what the first line of the owner's list says that fits", async () => {
    await setFees([
      { regions: ["Greater Accra", "Central"], below: 300, fee: 20 },
      { regions: ["Greater Accra"], fee: 0 },
      { fee: 45.5 },
    ]);
    expect(await feeOf("Greater Accra", "deliver", 299.99)).toBe(20);
    expect(await feeOf("Greater Accra", "deliver", 300)).toBe(0);
    expect(await feeOf("Central", "bus_station", 100)).toBe(20);
    expect(await feeOf("Central", "deliver", 300)).toBe(45.5);
    expect(await feeOf("Volta", "deliver", 1)).toBe(45.5);
    expect(await feeOf("Volta", "collect", 1)).toBe(0);
    await setFees([{ regions: ["Volta"], fee: 9 }]);
    expect(await feeOf("Volta", "deliver", 1)).toBe(9);
    expect(await feeOf("Oti", "deliver", 1)).toBe(0);
  });

  test("a delivery fee for one method applies to that method only", async () => {
    await setFees([
      { method: "bus_station", regions: ["Volta"], fee: 12 },
      { method: "deliver", fee: 40 },
      { fee: 15 },
    ]);
    expect(await feeOf("Volta", "bus_station", 1)).toBe(12);
    expect(await feeOf("Oti", "bus_station", 1)).toBe(15);
    expect(await feeOf("Volta", "deliver", 1)).toBe(40);
    expect(await feeOf(null, "deliver", 1)).toBe(40);
    expect(await feeOf(null, "bus_station", 1)).toBeNull();
    expect(await feeOf("Volta", "collect", 1)).toBe(0);
    expect(await refusalOf(orderWith({ delivery_method: null, delivery_fee: 15 }, 65))).toMatchObject({
      detail: { code: "total_changed", total: 90, delivery_fee: 40 },
    });
    expect(await orderWith({ delivery_method: null, delivery_fee: 40 }, 90)).toMatchObject({
      delivery_method: "deliver",
      delivery_fee: "40.00",
    });
    const byBus = { delivery_method: "bus_station", bus_station: "VIP, Ho", region: "Volta" };
    expect(await orderWith({ ...byBus, delivery_fee: 12 }, 62)).toMatchObject({ delivery_fee: "12.00" });
  });

  test("the delivery fee is null without a region if any fee is for certain regions", async () => {
    await setFees([{ below: 300, fee: 20 }]);
    for (const none of [null, ""]) expect(await feeOf(none, "deliver", 1)).toBe(20);
    await setFees([{ below: 300, fee: 20 }, { regions: ["Volta"], fee: 9 }, { fee: 45 }]);
    for (const none of [null, ""])
      for (const total of [1, 300]) {
        expect(await feeOf(none, "deliver", total)).toBeNull();
        expect(await feeOf(none, "bus_station", total)).toBeNull();
        expect(await feeOf(none, "collect", total)).toBe(0);
      }
  });

  test.each([
    ["deliver", [{ regions: ["Ashanti"], fee: 30 }]],
    ["bus_station", [{ regions: ["Ashanti"], fee: 30 }]],
    ["deliver", [{ regions: ["Ashanti"], fee: 30 }, { fee: 5 }]],
  ])("is not ordered without a region, if any fee names regions: %s, %j", async (method, fees) => {
    await setFees(fees);
    const delivery = { delivery_method: method, bus_station: "VIP, Asafo" };
    for (const fee of [0, 5, 30])
      expect(
        await refusalOf(
          orderWith(
            { ...delivery, delivery_fee: fee, shipping_address: "1 Main Road, Kumasi, Ashanti" },
            50 + fee,
          ),
        ),
      ).toMatchObject({
        code: "PT400",
        message: "Please choose a region.",
        detail: { code: "invalid_field", field: "region", rule: "required" },
      });
    expect(await orderWith({ delivery_method: "collect" })).toMatchObject({
      region: null,
      total_amount: "50.00",
    });
  });

  test.each([
    [{ regions: ["Brong-Ahafo"], fee: 1 }],
    [{ fee: -1 }],
    [{ fee: 100_000 }],
    [{ below: 0, fee: 1 }],
    [{ regions: ["Volta"] }],
    [{ method: "collect", fee: 1 }],
  ])("has no impossible fee: %j", async (fee) => {
    await setFees([{ fee: 7 }]);
    await expect(setFees([fee])).rejects.toThrow();
    expect(await feeOf(null, "deliver", 1)).toBe(7);
  });

  test("is part of what an order must cost, and is stored beside the total", async () => {
    await setFees([{ regions: ["Volta"], fee: 15.5 }]);
    for (const [delivery, total] of [
      [{ region: "Volta" }, 50],
      [{ region: "Volta", delivery_fee: 15.5 }, 50],
      [{ region: "Volta" }, 65.5],
      [{ region: "Oti", delivery_fee: 15.5 }, 65.5],
    ] as const) {
      const refusal = await refusalOf(orderWith(delivery, total));
      expect(refusal, JSON.stringify(delivery)).toMatchObject({ detail: { code: "total_changed" } });
      const isVolta = delivery.region === "Volta";
      expect(refusal.detail).toMatchObject({
        total: isVolta ? 65.5 : 50,
        delivery_fee: isVolta ? 15.5 : 0,
      });
    }
    for (const fee of [-1, 66])
      expect((await refusalOf(orderWith({ delivery_fee: fee }, 65.5))).detail).toMatchObject({
        field: "delivery_fee",
        rule: "range",
      });
    expect(await orderWith({ region: "Volta", delivery_fee: 15.5 }, 65.5)).toMatchObject({
      total_amount: "65.50",
      delivery_fee: "15.50",
    });
    expect(
      await orderWith({ region: "Volta", delivery_method: "collect", delivery_fee: 0 }, 50),
    ).toMatchObject({ total_amount: "50.00" });
  });

  test("comes back with a restored order", async () => {
    await setFees([{ fee: 5 }]);
    const { id } = await orderWith({ landmark: "The big tree", delivery_fee: 5 }, 55);
    const stored = async () =>
      (
        await open().query(
          "select landmark, delivery_method, delivery_fee from public.orders where id = $1",
          [id],
        )
      )[0];
    const before = await stored();
    await open().as(admin, async (query) => {
      await query("delete from public.orders where id = $1", [id]);
      await query("select public.restore_order($1)", [id]);
    });
    expect(await stored()).toEqual(before);
  });

  test("of an accepted quote whose prices include it needs a region all the same", async () => {
    await setFees([{ fee: 5 }]);
    const book = await addBook(open(), { price: 50, stock: 5 });
    const included = { method: "deliver", pricing: "included" };
    const quote = await offerQuote(open(), { customer, admin }, [[book, 2, 40]], included);
    const accept = (delivery: object) =>
      open().as(customer, (query) =>
        query<{ id: string }>("select public.accept_quote($1, $2, 'PO 7', $3::jsonb) as id", [
          quote.id,
          quote.version,
          { shipping_address: "5 Castle Road", recipient_name: "A teacher", ...delivery },
        ]),
      );
    expect((await refusalOf(accept({ region: "Brong-Ahafo" }))).detail).toMatchObject({ field: "region" });
    await setFees([{ regions: ["Volta"], fee: 5 }]);
    expect((await refusalOf(accept({}))).detail).toMatchObject({ field: "region", rule: "required" });
    expect(await stockOf(open(), book)).toBe(5);
    const [accepted] = await accept({ region: "Volta", digital_address: "vh01234567", user_id: admin.id });
    const [placed] = await open().query(
      "select user_id, region, digital_address, total_amount, delivery_fee from public.orders where id = $1",
      [accepted?.id],
    );
    expect(placed).toEqual({
      user_id: customer.id,
      region: "Volta",
      digital_address: "VH-0123-4567",
      total_amount: "80.00",
      delivery_fee: "0.00",
    });
  });

  test("is remembered by a customer's own profile, under the same rules", async () => {
    const remember = (region: string, digital_address: string) =>
      open().as(customer, (query) =>
        query(
          "update public.profiles set region = $1, digital_address = $2 where id = $3 returning region, digital_address",
          [region, digital_address, customer.id],
        ),
      );
    expect(await remember("Oti", "vr 123 4567")).toEqual([{ region: "Oti", digital_address: "VR-123-4567" }]);
    expect((await refusalOf(remember("Oti", "x"))).detail).toMatchObject({ field: "digital_address" });
    expect((await refusalOf(remember("Accra", ""))).detail).toMatchObject({ field: "region" });
  });

  test("is forgotten with the customer, but not by which region and way", async () => {
    const person = await addCustomer(open());
    const book = await addBook(open(), { price: 50, stock: 5 });
    await fillCart(open(), person, [[book, 1]]);
    const private_ = { landmark: "The big tree", digital_address: "GA-183-8164", bus_station: "STC, Circle" };
    const { id } = await placeOrder(open(), person, {
      total: 50,
      region: "Oti",
      delivery_method: "bus_station",
      delivery_note: "Ask for the head",
      ...private_,
    });
    await open().as(person, (query) =>
      query(
        "update public.profiles set region = 'Oti', landmark = 'The big tree', delivery_method = 'deliver' where id = $1",
        [person.id],
      ),
    );
    await deliverOrders(open(), person);
    await open().query("select private.anonymise_customer($1)", [person.id]);
    const [kept] = await open().query(
      "select region, landmark, digital_address, delivery_method, bus_station, delivery_note from public.orders where id = $1",
      [id],
    );
    expect(kept).toEqual({
      region: "Oti",
      landmark: null,
      digital_address: null,
      delivery_method: "bus_station",
      bus_station: null,
      delivery_note: null,
    });
    const left = await open().query(
      `select row_id from public.audit_log where row_id = $1::text and (before::text || after::text) ~ 'big tree|183-8164|STC|Ask for'
       union all
       select id::text from public.profiles where id = $2 and num_nonnulls(region, landmark, digital_address, delivery_method, bus_station) > 0`,
      [id, person.id],
    );
    expect(left).toEqual([]);
  });
});
