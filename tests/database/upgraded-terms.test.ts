import { expect, onTestFinished, test } from "vitest";
import { listMigrations } from "#server/database/migration-files.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { openDatabase } from "#tests/support/database.ts";

/** The first migration with which a version of the terms keeps what it showed. */
const keptSince = "20261129090000";
/** Settings that the database already had and that a shop without the demo has values of its own for. */
const ownWords =
  "whyChoose listsReason parcelReason deliveryTitle deliveryReason trustReason storyIntroduction mission vision yearsInWords";

/** A shop without the demo before that migration: its owner has changed the terms once, and the delivery page never. */
async function openOlderShop() {
  const database = await openDatabase({ migrate: false });
  onTestFinished(() => database.close());
  const migrations = await listMigrations();
  const apply = async (which: typeof migrations) => {
    for (const { text } of which) await database.run(text);
  };
  const start = (shop: object) =>
    database.query("select private.set_first_settings($1::text::jsonb)", [JSON.stringify(shop)]);
  const set = (name: string, value: unknown) =>
    database.query(
      `insert into public.shop_settings (id, value) values ($1, $2::text::jsonb)
       on conflict (id) do update set value = excluded.value`,
      [name, JSON.stringify(value)],
    );
  const versions = () =>
    database.query<{ version: number; terms: string; delivery: string; settings: object | null }>(
      `select version, terms, delivery_and_returns as delivery, nullif(to_jsonb(v) -> 'settings', 'null') as settings
         from public.terms_versions as v order by version`,
    );
  await apply(migrations.filter(({ version }) => version < keptSince));
  for (const name of ownWords.split(" ")) await set(name, "");
  await start({ ...firstShop, terms: "{phones}", deliveryAndReturns: "{deliveryFees} {disputes}" });
  await set("terms", "{phones} {taxes}");
  return {
    database,
    start,
    set,
    versions,
    upgrade: () => apply(migrations.filter((one) => one.version >= keptSince)),
  };
}

test("creates no version of the terms when a used shop is upgraded, and fills in what each version showed on the next start", async () => {
  const { database, start, set, versions, upgrade } = await openOlderShop();
  const texts = [
    { version: 1, terms: "{phones}", delivery: "{deliveryFees} {disputes}" },
    { version: 2, terms: "{phones} {taxes}", delivery: "{deliveryFees} {disputes}" },
  ];
  expect(await versions()).toMatchObject(texts);
  await upgrade();
  expect(await versions()).toEqual(texts.map((text) => ({ ...text, settings: null })));
  await set("phones", ["+233302000140"]);
  expect(await versions(), "before the start, the delivery page is unknown").toHaveLength(2);
  expect(await database.query("select private.terms_version() as version")).toEqual([{ version: 2 }]);

  const shop = { ...firstShop, terms: "{phones}", deliveryAndReturns: "{deliveryFees} {disputes}" };
  await start({ ...shop, taxes: [], disputes: "By mediation.", paysOnline: false });
  await start({ ...shop, taxes: [], disputes: "By law.", paysOnline: false });
  const [first, second, third, ...others] = await versions();
  expect([first, second, third]).toMatchObject([
    { ...texts[0], settings: { disputes: "By mediation.", deliveryFees: shop.deliveryFees } },
    { ...texts[1], settings: { disputes: "By mediation.", taxes: [], deliveryFees: shop.deliveryFees } },
    { terms: "{phones} {taxes}", delivery: texts[1]?.delivery, settings: { disputes: "By law." } },
  ]);
  expect(others).toEqual([]);
});

test("keeps a version that the upgrade made without a delivery page if an order names it or the owner emptied the page", async () => {
  const named = await openOlderShop();
  await named.database.query(
    "insert into public.terms_versions (terms) values ('{phones} {taxes}'), ('{phones} {taxes}')",
  );
  await named.database.query(
    "insert into public.orders (total_amount, terms_version) values (10, 3), (10, 2)",
  );
  await named.upgrade();
  expect((await named.versions()).map(({ version }) => version)).toEqual([1, 2, 3]);

  const emptied = await openOlderShop();
  await emptied.set("deliveryAndReturns", "");
  const before = (await emptied.versions()).map(({ version }) => version);
  expect(before).toHaveLength(3);
  await emptied.upgrade();
  expect((await emptied.versions()).map(({ version }) => version)).toEqual(before);
});
