import { beforeAll, expect, test } from "vitest";
import { ownShop } from "#shared/owner/own-shop.ts";
import { firstShop, type Shop, settings } from "#shared/owner/settings.ts";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { eventually } from "#tests/support/eventually.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";
import { setSettings } from "#tests/support/settings.ts";

describeDatabase("The shop's settings", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });

  const update = (values: object, seen: object = {}) =>
    open().as(admin, (query) =>
      query<{ id: string; value: unknown; updated_at: Date }>(
        "select id, value, to_json(updated_at) #>> '{}' as updated_at from public.update_settings($1::text::jsonb, $2::text::jsonb)",
        [JSON.stringify(values), JSON.stringify(seen)],
      ),
    );
  const read = async (person: SignedIn | typeof visitor) =>
    (
      await open().as(person, (query) =>
        query<{ all: Partial<Shop> }>("select public.list_settings() as all"),
      )
    )[0]?.all;

  test("the app and the database have the same list of them", async () => {
    const [row] = await open().query<{ rules: object }>("select private.setting_rules() as rules");
    const rules = Object.entries(settings).map(([name, { kind, label, max, reader, ...more }]) => [
      name,
      {
        ...{ kind, label, max, reader },
        ...("min" in more && { min: more.min }),
        ...("required" in more && { required: true }),
        ...("choices" in more && { choices: Object.keys(more.choices ?? {}) }),
      },
    ]);
    expect(row?.rules).toEqual(Object.fromEntries(rules));
  });

  test("the database takes every first value, and those of a shop without the demo, as they are", async () => {
    for (const values of [firstShop, { ...firstShop, ...ownShop }])
      for (const [name, value] of Object.entries(values)) {
        const [row] = await open().query<{ checked: unknown }>(
          "select private.checked_setting($1, $2::text::jsonb) as checked",
          [name, JSON.stringify(value)],
        );
        expect([name, row?.checked]).toEqual([name, value]);
      }
  });

  test("everyone reads what an admin has changed, but not what is for the owner only", async () => {
    await update({ tagline: "  Books \n for all ", ownerEmail: "owner@shop.example", regions: "" });
    const changed = { tagline: "Books for all", regions: "" };
    expect(await read(visitor)).toMatchObject(changed);
    expect(await read(customer)).not.toHaveProperty("ownerEmail");
    expect(await read(admin)).toMatchObject({ ...changed, ownerEmail: "owner@shop.example" });
  });

  test.each([
    ["name", "  ", "Name is required."],
    ["name", "n".repeat(61), "Name is too long (at most 60 characters)."],
    ["name", 7, "Name must be a text."],
    ["address", ["a".repeat(101)], "Address is too long (at most 100 characters each)."],
    ["address", Array(51).fill("a"), "Address has too many lines."],
    ["email", "hello@shop", "Email must be an email address, such as orders@shop.example."],
    [
      "phones",
      ["+233 30 200 0140", "112233"],
      "Phone numbers must be a Ghanaian number or have a country code, such as 030 200 0140 or +233 30 200 0140.",
    ],
    ["facebook", "javascript:alert(1)", "Facebook page must be an address that starts with https://."],
    ["mapLink", "https://user@maps.example/", "Map link must be an address that starts with https://."],
    ["lowStock", 0, "Low stock is fewer than must be a whole number from 1 to 1000."],
    ["lowStock", 1.5, "Low stock is fewer than must be a whole number from 1 to 1000."],
    ["searchOrder", "random", "Searches are sorted by: unknown choice."],
    [
      "searchWords",
      [["maths"]],
      "Words that mean the same: each line needs at least two words, with commas between them.",
    ],
    ["deliveryFees", [{ below: 300 }], "Delivery fees: each line needs a fee in cedis."],
    ["deliveryFees", [{ fee: 20.001 }], "Delivery fees: an amount must be between 0 and 99,999.99 cedis."],
    [
      "deliveryFees",
      [{ regions: ["Lagos"], fee: 20 }],
      "Delivery fees: a line names a region that Ghana doesn't have, or none.",
    ],
    [
      "deliveryFees",
      [{ method: "collect", fee: 20 }],
      "Delivery fees: each line must be for delivery to the address, to a bus parcel station, or for both.",
    ],
    [
      "taxes",
      [{ name: "VAT", percent: 0 }],
      "Taxes included in the prices: each line needs a name and a percentage, such as VAT 15.",
    ],
    [
      "taxes",
      Array(3).fill({ name: "VAT", percent: 40 }),
      "Taxes included in the prices together can't be more than 100%.",
    ],
    ["logo", "x", "Unknown setting."],
  ])("a bad %s (%j) is refused by name, with all that was sent with it", async (name, value, message) => {
    const before = await read(admin);
    expect(await refusalOf(update({ headline: "Other words", [name]: value }))).toMatchObject({
      code: "PT400",
      message,
      detail: { code: "invalid_field", field: name },
    });
    expect(await read(admin)).toEqual(before);
  });

  test.each([
    { name: "Term 1", from: "2026-09-15" },
    { name: " ", from: "2026-09-15", to: "2026-12-17" },
    { name: "Term 1", from: "2026-02-29", to: "2026-12-17" },
    { name: "Term 1", from: "2026-09-15", to: "2026-09-14" },
    { name: "Term 1", from: "infinity", to: "infinity" },
    "Term 1",
    null,
  ])("an invalid school term is refused: %j", async (term) => {
    expect(await refusalOf(update({ schoolTerms: [term] }))).toMatchObject({
      message:
        "School terms: each line needs a name, a first and a last day, such as Term 1: 2026-09-15 to 2026-12-17.",
      detail: { code: "invalid_field", field: "schoolTerms" },
    });
  });

  test("a school term can have any days of the calendar", async () => {
    const terms = [{ name: "Term 1", from: "2028-02-29", to: "2028-02-29" }];
    await update({ schoolTerms: terms });
    expect(await read(admin)).toMatchObject({ schoolTerms: terms });
  });

  test("a setting that someone else has changed since it was read is not overwritten", async () => {
    const [first] = await update({ vision: "Mine" });
    const [second] = await update({ vision: "Theirs" }, { vision: first?.updated_at });
    const late = (seen: object) => refusalOf(update({ vision: "Late", mission: "Late too" }, seen));
    for (const seen of [{}, { vision: first?.updated_at }])
      expect(await late(seen)).toMatchObject({
        code: "PT409",
        detail: { code: "settings_changed", fields: ["vision"] },
      });
    expect(await read(admin)).toMatchObject({ vision: "Theirs" });
    expect(await read(admin)).not.toHaveProperty("mission");
    await update({ vision: "Last" }, { vision: second?.updated_at });
    expect(await read(admin)).toMatchObject({ vision: "Last" });
  });

  test("delivery fees apply to the next order, and a start with the owner's file keeps them", async () => {
    const fee = async () =>
      (
        await open().as(customer, (query) =>
          query("select public.delivery_fee('Volta', 'deliver', 100)::int as fee"),
        )
      )[0]?.fee;
    const start = (deliveryFees: object) =>
      open().query("select private.set_first_settings($1::text::jsonb)", [JSON.stringify({ deliveryFees })]);
    await start([{ fee: 15 }]);
    expect(await fee()).toBe(15);
    const [changed] = await update({ deliveryFees: [{ regions: ["Volta"], fee: 20 }] });
    expect(await fee()).toBe(20);
    await start([{ fee: 15 }]);
    expect(await fee()).toBe(20);
    await update({ deliveryFees: [] }, { deliveryFees: changed?.updated_at });
    expect(await fee()).toBe(0);
  });

  test("waits on startup for an admin's change of the delivery fees that is being saved, and keeps it", async () => {
    const fees = (fee: number) => ({ deliveryFees: [{ fee }] });
    const start = () =>
      open().query("select private.set_first_settings($1::text::jsonb)", [JSON.stringify(fees(15))]);
    await setSettings(open(), admin, fees(20));
    let started: Promise<unknown> | undefined;
    await open().as(admin, async (query) => {
      await query(
        `select public.update_settings($1::text::jsonb, (select jsonb_object_agg(id, updated_at) from public.shop_settings))`,
        [JSON.stringify(fees(25))],
      );
      started = start();
      started.catch(() => {});
      await eventually(
        async () =>
          (
            await open().query(
              `select from pg_locks where not granted
                  and pid in (select pid from pg_stat_activity where datname = current_database())`,
            )
          ).length > 0,
      );
    });
    await started;
    expect(await open().query("select fee::int from private.delivery_fees")).toEqual([{ fee: 25 }]);
  });

  test("the low-stock limit decides what staff are shown", async () => {
    await addBook(open(), { title: "Thirty copies", stock: 30 });
    const listed = async () =>
      (await open().as(admin, (query) => query("select title from public.list_low_stock_books(50)"))).some(
        ({ title }) => title === "Thirty copies",
      );
    expect(await listed()).toBe(false);
    await update({ lowStock: 31 });
    expect(await listed()).toBe(true);
  });

  test("settings of a shop without the demo keep what has been changed", async () => {
    await open().query("select private.set_own_settings($1::text::jsonb)", [JSON.stringify(ownShop)]);
    expect(await read(visitor)).toMatchObject({ name: ownShop.name, years: "", tagline: "Books for all" });
  });
});
