import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { lawBlocks } from "#app/features/law/law-values.ts";
import { type TermsVersion, versionBlocks } from "#app/features/law/terms-version.ts";
import { legalTexts } from "#shared/owner/legal-texts.ts";
import { firstShop, type Shop, shopWith } from "#shared/owner/settings.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { eventually } from "#tests/support/eventually.ts";
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

  const count = async () =>
    Number((await open().query("select count(*)::int as n from public.terms_versions"))[0]?.n);
  const change = (values: Partial<Shop>) =>
    open().as(admin, (query) =>
      query(
        `select public.update_settings($1::text::jsonb,
           (select coalesce(jsonb_object_agg(id, updated_at), '{}') from public.shop_settings))`,
        [JSON.stringify(values)],
      ),
    );

  test("texts that apply first make one version, and the next start with them none", async () => {
    expect(await latest()).toMatchObject({ terms: "First", delivery_and_returns: "Free" });
    await setFirst({ terms: "First", deliveryAndReturns: "Free" });
    expect((await latest())?.version).toBe(versions[0]);
  });

  test("accounts, orders and accepted quotes have the version of their time, even after a change", async () => {
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

  test("terms and delivery page that change together make one version, and so do settings that they show", async () => {
    await setFirst(firstShop);
    const before = await count();
    await change({ terms: "{payment} {taxes}", deliveryAndReturns: "{deliveryTerms}\n\n{deliveryFees}" });
    expect(await count()).toBe(before + 1);
    await change({ payment: "By post.", deliveryTerms: "Slowly.", taxes: [{ name: "VAT", percent: 15 }] });
    expect(await count()).toBe(before + 2);
  });

  test("a version shows the words of its time after every setting has changed, and only changed words make one", async () => {
    const site = { siteUrl: "https://shop.example", paysOnline: false };
    const wordsOf = (...pages: unknown[]) => JSON.stringify(pages).replace(/(\s|\\n)+/g, " ");
    const shown = (version: TermsVersion, shop: Shop, paysOnline = false) =>
      wordsOf(
        versionBlocks("terms", version, shop, { ...site, paysOnline }),
        versionBlocks("delivery_and_returns", version, shop, { ...site, paysOnline }),
      );
    const shopNow = async () =>
      shopWith(
        (await open().query<{ all: Partial<Shop> }>("select public.list_settings() as all"))[0]?.all ?? {},
      );
    await setFirst({ ...firstShop, ...site });
    await change({ terms: firstShop.terms, deliveryAndReturns: firstShop.deliveryAndReturns });

    const changes: [Partial<Shop>, makes: 0 | 1][] = [
      [{ payment: "Cash when we deliver." }, 1],
      [{ payment: "Cash when\nwe deliver." }, 0],
      [{ disputes: "We follow the code of the traders' union." }, 1],
      [{ deliveryTerms: "Three days." }, 1],
      [{ deliveryFees: [{ regions: ["Ashanti"], fee: 45 }] }, 1],
      [{ taxes: [{ name: "VAT", percent: 12.5 }] }, 1],
      [{ legalName: firstShop.name }, 0],
      [{ legalName: "Adwene Limited" }, 1],
      [{ address: ["1 High Street, Kumasi"] }, 1],
      [{ address: ["1 High Street", "Kumasi"] }, 0],
      [{ terms: `${firstShop.terms}\n\n## Guarantee\nOne year.` }, 1],
      [{ terms: `${firstShop.terms}\n\n\n## Guarantee\n\nOne year.` }, 0],
      [{ tagline: "Other words", privacy: "Nothing is kept.", forgetOrdersAfterYears: 7 }, 0],
      [{ deliveryFees: [] }, 1],
    ];
    const versionsShown: [TermsVersion, string][] = [];
    for (const [values, makes] of changes) {
      const before = await count();
      await change(values);
      expect([values, (await count()) - before]).toEqual([values, makes]);
      const [version] = await open().query<TermsVersion>(
        "select * from public.terms_versions order by version desc limit 1",
      );
      if (!version) throw new Error("There is no version");
      const shop = await shopNow();
      const words = shown(version, shop);
      expect(words).toBe(
        wordsOf(lawBlocks(shop.terms, shop, site), lawBlocks(shop.deliveryAndReturns, shop, site)),
      );
      if (makes) versionsShown.push([version, words]);
    }
    for (const [version, words] of versionsShown) expect(shown(version, firstShop, true)).toBe(words);
  });

  test("the database keeps every setting that the law's texts can show", async () => {
    const names = await open().query<{ name: string; settings: string[] }>(
      "select * from private.names_in_terms()",
    );
    const typed = Object.values(legalTexts).flatMap((text) =>
      [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    const known = [...names.map(({ name }) => name), "browser", "siteUrl"];
    expect(typed.filter((name) => !known.includes(name ?? ""))).toEqual([]);

    const asked = new Set<string>();
    const watched = new Proxy(firstShop, {
      get: (shop, name: keyof Shop) => {
        asked.add(name);
        return shop[name];
      },
    });
    lawBlocks("", watched, { siteUrl: "https://shop.example" });
    expect(new Set(names.flatMap(({ settings }) => settings))).toEqual(asked.add("paysOnline"));
  });

  test("paying online makes a new version, and what is said of paying by hand then makes none", async () => {
    await setFirst({ ...firstShop, paysOnline: false });
    const before = await count();
    await setFirst({ ...firstShop, paysOnline: true });
    expect(await count()).toBe(before + 1);
    await change({ payment: "In gold." });
    expect(await count()).toBe(before + 1);
    await setFirst({ ...firstShop, paysOnline: false });
    expect(await count()).toBe(before + 2);
  });

  test("a version from before settings were kept gets today's words at the next start, and keeps them", async () => {
    await setFirst(firstShop);
    const [{ version } = {}] = await open().query(
      "insert into public.terms_versions (terms, published_at) values ('{payment}', now()) returning version",
    );
    const kept = async () =>
      (await open().query("select settings from public.terms_versions where version = $1", [version]))[0]
        ?.settings;
    await change({ payment: "By cheque.", terms: "{payment}" });
    expect(await kept()).toMatchObject({ payment: "By cheque." });
    await change({ payment: "By donkey." });
    expect(await kept()).toMatchObject({ payment: "By cheque." });
  });

  test("an order by phone has the version in force", async () => {
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
    expect(await versionOf("orders", String(row?.id))).toBe((await latest())?.version);
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

  test.each(["private.set_first_settings($1::text::jsonb)", "private.publish_terms()"])(
    "publishes no old words when a start and an admin's change coincide: %s",
    async (start) => {
      const first = { ...firstShop, terms: "{phones}", paysOnline: false };
      await setFirst(first);
      await change({ terms: "{phones}", phones: ["030 200 0001"] });
      const before = await count();
      let started: Promise<unknown> | undefined;
      await open().transaction(async (query) => {
        await query("select pg_advisory_xact_lock(hashtext('shop_settings'))");
        await query(`update public.shop_settings set value = '["+233302000002"]' where id = 'phones'`);
        started = open().query(`select ${start}`, start.includes("$1") ? [JSON.stringify(first)] : []);
        await eventually(
          async () =>
            (
              await open().query(
                `select from pg_locks where locktype = 'advisory' and not granted
                    and database = (select oid from pg_database where datname = current_database())`,
              )
            ).length === 1,
        );
      });
      await started;
      const [{ phones } = {}] = await open().query(
        "select settings -> 'phones' as phones from public.terms_versions order by version desc limit 1",
      );
      expect([await count(), phones]).toEqual([before + 1, ["+233302000002"]]);
    },
  );
});
