import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { CURRENCIES } from "#app/office/stock/suppliers/currencies.ts";
import { expectSerial } from "#tests/support/at-once.ts";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("Suppliers", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const save = (values: Record<string, unknown>) => {
    const names = Object.keys(values);
    const args = names.map((name, at) => `_${name} => $${at + 1}`).join(", ");
    return open().as(admin, async (query) => {
      const [row] = await query<{ at: string }>(
        `select public.save_supplier(${args})::text as at`,
        Object.values(values),
      );
      return row?.at;
    });
  };
  const add = async (values: Record<string, unknown> = {}) => {
    const id = randomUUID();
    return { id, updated_at: await save({ id, name: `Supplier ${id}`, ...values }) };
  };
  const remove = (id: string) =>
    open().as(admin, (query) => query("select public.remove_supplier($1)", [id]));
  const order = (id: string, supplierId: string) =>
    open().as(admin, (query) => query("select public.create_purchase_order($1, $2)", [id, supplierId]));
  const stored = (id: string) => open().query("select * from public.suppliers where id = $1", [id]);

  test("are saved with trimmed texts, in every currency that staff can choose", async () => {
    for (const currency of Object.keys(CURRENCIES)) {
      const { id } = await add({
        name: ` Kumasi\n Books ${currency} `,
        contact_name: "  ",
        phone: "0302 123 456",
        email: "orders@kumasi.example",
        terms: "30 days\nafter the invoice",
        discount: 32.5,
        delivery_days: 0,
        currency,
      });
      expect(await stored(id)).toMatchObject([
        {
          name: `Kumasi Books ${currency}`,
          contact_name: null,
          terms: "30 days\nafter the invoice",
          currency,
          delivery_days: 0,
          hidden: false,
        },
      ]);
    }
  });

  test.each([
    ["without a name", { name: " \u0000 ".replace("\u0000", "\u0001") }, "name"],
    ["with a name of 201 letters", { name: "x".repeat(201) }, "name"],
    ["with an email address that reaches no one", { email: "orders@kumasi" }, "email"],
    ["with a phone number that reaches no one", { phone: "call me" }, "phone"],
    ["with terms of 501 letters", { terms: "x".repeat(501) }, "terms"],
    ["with a discount above 100", { discount: 100.01 }, "discount"],
    ["with a negative discount", { discount: -1 }, "discount"],
    ["with a discount of three decimals", { discount: 12.345 }, "discount"],
    ["without a discount", { discount: null }, "discount"],
    ["with more than a year to deliver", { delivery_days: 366 }, "delivery_days"],
    ["in another currency", { currency: "gbp" }, "currency"],
    ["without a currency", { currency: null }, "currency"],
  ])("are not saved %s", async (_, values, field) => {
    const id = randomUUID();
    const refusal = await refusalOf(save({ id, name: "Whoever", ...values }));
    expect(refusal).toMatchObject({ code: "PT400", detail: { code: "invalid_field", field } });
    expect(await stored(id)).toEqual([]);
  });

  test("have names of their own, whatever the case and accents", async () => {
    const { id, updated_at } = await add({ name: "Éditions Akwaba" });
    expect((await refusalOf(add({ name: "EDITIONS AKWABA" }))).detail).toMatchObject({ code: "name_taken" });
    await save({ id, name: "Editions Akwaba", updated_at });
  });

  test("that someone else has changed, saved before or deleted are not overwritten", async () => {
    const { id, updated_at } = await add();
    expect((await refusalOf(save({ id, name: "Again" }))).detail).toMatchObject({ code: "supplier_changed" });
    await save({ id, name: `First ${id}`, updated_at });
    const late = await refusalOf(save({ id, name: `Late ${id}`, updated_at }));
    expect(late.detail).toMatchObject({ code: "supplier_changed" });
    expect(await stored(id)).toMatchObject([{ name: `First ${id}` }]);
    await remove(id);
    const gone = await refusalOf(save({ id, name: `Gone ${id}`, updated_at }));
    expect(gone.detail).toMatchObject({ code: "supplier_not_found" });
  });

  test("with purchase orders can be hidden, but not deleted", async () => {
    const { id, updated_at } = await add();
    await order(randomUUID(), id);
    expect((await refusalOf(remove(id))).detail).toMatchObject({ code: "supplier_has_purchase_orders" });
    await save({ id, name: `Supplier ${id}`, hidden: true, updated_at });
    expect((await refusalOf(order(randomUUID(), id))).detail).toMatchObject({ code: "supplier_hidden" });
    const list = await open().as(admin, (query) =>
      query("select hidden, purchase_orders::int as n from public.list_suppliers() where id = $1", [id]),
    );
    expect(list).toEqual([{ hidden: true, n: 1 }]);
  });

  test("with the same name, added by two admins at once, are stored once, and the other admin gets an error", async () => {
    const other = await addStaff(open(), "admin");
    const answers = await expectSerial(open(), async () => {
      const name = `Supplier ${randomUUID()}`;
      const request = (person: SignedIn) =>
        [person, "select public.save_supplier($1, $2)", [randomUUID(), name]] as [
          SignedIn,
          string,
          unknown[],
        ];
      return {
        requests: [request(admin), request(other)],
        see: () => open().query("select count(*)::int as n from public.suppliers where name = $1", [name]),
      };
    });
    expect(answers).toEqual([
      ["done", "name_taken"],
      ["name_taken", "done"],
    ]);
  });

  test("deleted while a purchase order is created either disappear without it or stay with it", async () => {
    const answers = await expectSerial(open(), async () => {
      const { id } = await add();
      return {
        requests: [
          [admin, "select public.create_purchase_order($1, $2)", [randomUUID(), id]],
          [admin, "select public.remove_supplier($1)", [id]],
        ],
        see: async () => ({
          suppliers: (await stored(id)).length,
          orders: await open().query(
            "select count(*)::int as n from public.purchase_orders where supplier_id = $1",
            [id],
          ),
        }),
      };
    });
    expect(answers).toEqual([
      ["done", "supplier_has_purchase_orders"],
      ["supplier_not_found", "done"],
    ]);
  });
});
