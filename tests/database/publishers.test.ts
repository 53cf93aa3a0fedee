import { beforeEach, expect, test } from "vitest";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

type Saved = { id: string; name: string; updated_at: string };

describeDatabase("Publishers", (open) => {
  let admin: SignedIn;
  let other: SignedIn;

  beforeEach(async () => {
    for (const table of ["publishers", "books", "book_imports"])
      await open().query(`delete from public.${table}`);
    admin ??= await addStaff(open(), "admin");
    other ??= await addStaff(open(), "admin");
  });

  const save = async (
    values: object,
    { id, version, as = admin }: { id?: string; version?: string; as?: SignedIn } = {},
  ) => {
    const given = { name: "CGP", slug: "cgp", ...values };
    const [saved] = await open().as(as, (query) =>
      query<Saved>(
        `select id, name, to_json(updated_at) #>> '{}' as updated_at
           from public.save_publisher(coalesce($1::uuid, gen_random_uuid()), $2::jsonb, $3::timestamptz)`,
        [id ?? null, given, version ?? null],
      ),
    );
    if (!saved) throw new Error("Not saved");
    return saved;
  };
  const rename = (saved: Saved, name: string, as = admin) =>
    save({ name }, { id: saved.id, version: saved.updated_at, as });
  const merge = (id: string, spellings: string[], dryRun: boolean, as = admin) =>
    open().as(as, (query) =>
      query<{ spelling: string; books: number }>(
        "select spelling, books::int from public.merge_publisher_spellings($1, $2, $3)",
        [id, spellings, dryRun],
      ),
    );
  const booksBy = async (publisher: string) =>
    (await open().query("select id from public.books where publisher = $1", [publisher])).length;
  const addBooks = async (publisher: string, count: number) => {
    for (let n = 0; n < count; n++) await addBook(open(), { publisher });
  };
  const logged = (id: string) =>
    open().query<{ action: string; before: object; after: object }>(
      "select action, before, after from public.audit_log where table_name = 'publishers' and row_id = $1 order by id",
      [id],
    );
  const version = async () =>
    (await open().as(visitor, (query) => query<{ n: number }>("select public.catalogue_version() as n")))[0]
      ?.n;

  test.each([
    "https://logos.example/a.jpg?size=2",
    "/storage/v1/object/public/book-covers/logo.jpg",
    "http://localhost:4100/storage/v1/object/public/book-covers/logo.jpg",
    null,
  ])("keep a logo that is on the web or one of the shop's own pictures: %s", async (logo_url) => {
    const { id } = await save({ logo_url });
    expect(await open().query("select logo_url from public.publishers where id = $1", [id])).toEqual([
      { logo_url },
    ]);
  });

  test.each(["http://logos.example/a.jpg", "/logos/a.png"])(
    "keeps a publisher's old logo whose address would be refused today, and refuses a new one like it: %s",
    async (logo_url) => {
      const { id } = await save({});
      await open().query("update public.publishers set logo_url = $1 where id = $2", [logo_url, id]);
      const version = async () =>
        (
          await open().query<{ at: string }>(
            "select to_json(updated_at) #>> '{}' as at from public.publishers where id = $1",
            [id],
          )
        )[0]?.at ?? "";
      const note = { logo_url: ` ${logo_url}`, note: "Also in Kumasi" };
      await save(note, { id, version: await version() });
      expect(await open().query("select logo_url, note from public.publishers where id = $1", [id])).toEqual([
        { ...note, logo_url },
      ]);
      const other = save({ logo_url: `${logo_url}?2` }, { id, version: await version() });
      expect((await refusalOf(other)).detail).toMatchObject({ field: "logo_url", rule: "url" });
    },
  );

  test("are added in order, cleaned, with a message for each invalid field", async () => {
    await save({ name: "  Adom\tPress ", slug: "adom", known_for: [" Readers ", ""], page: "live" });
    await save({ name: "Sedco", slug: "sedco" });
    expect(
      await open().query(
        "select name, slug, known_for, shown, position from public.publishers order by position",
      ),
    ).toEqual([
      { name: "Adom Press", slug: "adom", known_for: ["Readers"], shown: "menu", position: 1 },
      { name: "Sedco", slug: "sedco", known_for: [], shown: "menu", position: 2 },
    ]);
    const title = { title: "Light", price: 12.5 };
    const invalid: [object, string, RegExp][] = [
      [{ name: " " }, "name", /name is required/],
      [{ slug: "" }, "slug", /address is required/],
      [{ slug: "a b" }, "slug", /small letters/],
      [{ description: "x".repeat(1001) }, "description", /too long/],
      [{ logo_url: "javascript:alert(1)" }, "logo_url", /https:\/\/|picture/],
      [{ logo_url: "http://logos.example/a.jpg" }, "logo_url", /https:\/\/|picture/],
      [{ logo_url: "https://user@logos.example/a.jpg" }, "logo_url", /https:\/\/|picture/],
      [{ logo_url: "data:image/png;base64,AAAA" }, "logo_url", /https:\/\/|picture/],
      [{ logo_url: "/storage/v1/object/public/digital-titles/a.jpg" }, "logo_url", /https:\/\/|picture/],
      [{ shown: "everywhere" }, "shown", /does not exist/],
      [{ page: "poster" }, "page", /does not exist/],
      [{ page: "showcase" }, "titles", /at least one/],
      [{ titles: [{ ...title, title: "" }] }, "titles", /Title 1 is required/],
      [{ titles: [title, { ...title, price: "free" }] }, "titles", /price of title 2/],
      [{ titles: [{ ...title, price: 1.234 }] }, "titles", /two decimals/],
      [{ titles: [{ ...title, rating: 6 }] }, "titles", /rating of title 1/],
      [{ titles: Array.from({ length: 41 }, () => title) }, "titles", /between 0 and 40/],
      [{ known_for: Array.from({ length: 13 }, (_, n) => `Series ${n}`) }, "known_for", /between 0 and 12/],
    ];
    for (const [values, field, message] of invalid) {
      const refusal = await refusalOf(save(values));
      expect([refusal.code, refusal.detail?.field], JSON.stringify(values)).toEqual(["PT400", field]);
      expect(refusal.message).toMatch(message);
    }
  });

  test("have names and addresses of their own, and menus hold twelve of them", async () => {
    await save({});
    expect(await refusalOf(save({ name: "cgp", slug: "other" }))).toMatchObject({
      message: "Another publisher has this name.",
    });
    expect(await refusalOf(save({ name: "Other" }))).toMatchObject({
      message: "Another publisher has this address.",
    });
    for (let n = 2; n <= 12; n++) await save({ name: `Press ${n}`, slug: `press-${n}` });
    const thirteenth = { name: "Press 13", slug: "press-13" };
    expect((await refusalOf(save(thirteenth))).message).toMatch(/Menus can hold 12/);
    await save({ ...thirteenth, shown: "page" });
  });

  test("that are shown nowhere are read by admins only", async () => {
    await save({ shown: "nowhere" });
    await save({ name: "Adom", slug: "adom", shown: "page" });
    const read = (query: Parameters<Parameters<ReturnType<typeof open>["as"]>[1]>[0]) =>
      query<{ slug: string }>("select slug from public.publishers order by position");
    expect(await open().as(visitor, read)).toEqual([{ slug: "adom" }]);
    expect(await open().as(await addCustomer(open()), read)).toEqual([{ slug: "adom" }]);
    expect(await open().as(admin, read)).toEqual([{ slug: "cgp" }, { slug: "adom" }]);
  });

  test("carry their books along when they are renamed, in one step and one row of the log", async () => {
    const saved = await save({});
    await addBooks("CGP", 3);
    await addBooks("CGP Books", 1);
    const { id } = saved;
    const before = await version();
    await rename(saved, "CGP Books");
    expect([await booksBy("CGP"), await booksBy("CGP Books")]).toEqual([0, 4]);
    expect(await version()).not.toBe(before);
    expect((await logged(id)).map(({ action }) => action)).toEqual(["insert", "update", "merge"]);
    expect((await logged(id))[2]).toMatchObject({
      after: { name: "CGP Books", renamed: { CGP: 3 } },
    });
    expect(
      await open().query("select id from public.audit_log where table_name = 'books' and action = 'update'"),
    ).toEqual([]);
    expect(
      await open().as(admin, (query) => query("select books::int from public.count_publisher_books()")),
    ).toEqual([{ books: 4 }]);
  });

  test("keep the first of two admins' changes, and refuse the other's", async () => {
    const saved = await save({});
    await addBooks("CGP", 2);
    const outcomes = await Promise.allSettled([rename(saved, "One"), rename(saved, "Two", other)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [name] = await open().query<{ name: string }>("select name from public.publishers");
    expect(await booksBy(name?.name ?? "")).toBe(2);
    expect((await refusalOf(rename(saved, "Three"))).message).toMatch(/has since been changed/);
  });

  test("are not saved twice by a repeated request", async () => {
    const { id } = await save({});
    expect((await refusalOf(save({}, { id }))).message).toMatch(/has since been changed/);
    expect(await open().query("select id from public.publishers")).toHaveLength(1);
  });

  test("take over other spellings, exactly as the dry run says", async () => {
    const { id } = await save({});
    await addBooks("CGP", 1);
    await addBooks("C.G.P.", 2);
    await addBooks("CGP Books", 3);
    await addBooks("Collins", 1);
    const close = await open().as(admin, (query) =>
      query("select spelling, books::int, is_close from public.list_publisher_spellings($1)", [id]),
    );
    expect(close).toEqual([
      { spelling: "CGP Books", books: 3, is_close: true },
      { spelling: "C.G.P.", books: 2, is_close: true },
      { spelling: "Collins", books: 1, is_close: false },
    ]);
    const spellings = ["C.G.P.", "CGP Books", "Not there"];
    const planned = await merge(id, spellings, true);
    expect(planned).toEqual([
      { spelling: "C.G.P.", books: 2 },
      { spelling: "CGP Books", books: 3 },
    ]);
    expect(await booksBy("CGP")).toBe(1);
    expect(await merge(id, spellings, false)).toEqual(planned);
    expect([await booksBy("CGP"), await booksBy("C.G.P."), await booksBy("CGP Books")]).toEqual([6, 0, 0]);
    expect((await logged(id)).at(-1)).toMatchObject({
      action: "merge",
      after: { name: "CGP", renamed: { "C.G.P.": 2 } },
    });
    expect(await merge(id, spellings, false)).toEqual([]);
  });

  test("are still found in their other spellings after a new name", async () => {
    const saved = await save({ name: "Aki Ola", slug: "aki-ola" });
    await addBooks("AKI-OLA", 2);
    await rename(saved, "Golden Stool Books");
    expect(
      await open().as(admin, (query) =>
        query("select spelling, is_close from public.list_publisher_spellings($1)", [saved.id]),
      ),
    ).toEqual([{ spelling: "AKI-OLA", is_close: true }]);
  });

  test("do not take over the books of another publisher, or no spelling at all", async () => {
    const { id } = await save({});
    await save({ name: "Collins", slug: "collins" });
    expect((await refusalOf(merge(id, ["Collins"], true))).message).toBe(
      "Collins is a publisher of its own. Delete it first.",
    );
    expect((await refusalOf(merge(id, [], true))).message).toMatch(/number of spellings/);
  });

  test("neither rename nor merge books while an import is unfinished", async () => {
    const saved = await save({});
    await addBooks("C.G.P.", 1);
    await open().as(admin, async (query) => {
      const [made] = await query<{ id: string }>(
        "select public.create_book_import(_default_price => 5) as id",
      );
      const rows = [
        { line: 2, title: "One" },
        { line: 3, title: "Two" },
      ];
      await query("select public.stage_book_import_rows($1, $2::jsonb)", [made?.id, rows]);
      await query("select public.apply_book_import($1, false, 1)", [made?.id]);
    });
    for (const attempt of [() => merge(saved.id, ["C.G.P."], false), () => rename(saved, "Other")])
      expect((await refusalOf(attempt())).message).toMatch(/import is not finished/);
    expect(await merge(saved.id, ["C.G.P."], true)).toHaveLength(1);
  });

  test("are put into another order only as long as they are the same", async () => {
    const one = await save({});
    const two = await save({ name: "Adom", slug: "adom" });
    const order = (...ids: string[]) =>
      open().as(admin, (query) => query("select public.order_publishers($1)", [ids]));
    await order(two.id, one.id);
    expect(await open().query("select slug from public.publishers order by position")).toEqual([
      { slug: "adom" },
      { slug: "cgp" },
    ]);
    await rename(one, "CGP Books");
    expect((await refusalOf(order(two.id))).message).toMatch(/added or deleted/);
  });

  test("come back from the log after a deletion, unless another one has their name by now", async () => {
    const { id } = await save({ page: "showcase", titles: [{ title: "Light", price: 12.5 }] });
    const remove = () =>
      open().as(admin, (query) => query("delete from public.publishers where slug = 'cgp' returning id"));
    const restore = () =>
      open().as(admin, async (query) => {
        const [entry] = await query<{ id: number; restorable: boolean }>(
          "select id, restorable from public.admin_list_audit('publishers') where action = 'delete' limit 1",
        );
        expect(entry?.restorable).toBe(true);
        return query("select public.restore_publisher($1) as id", [entry?.id]);
      });
    const archived = () => open().query("select name, slug, page, titles, shown from public.publishers");
    const before = await archived();
    await remove();
    expect(await restore()).toEqual([{ id }]);
    expect(await archived()).toEqual(before);
    await remove();
    await save({ name: "Other" });
    expect((await refusalOf(restore())).message).toMatch(/name or address/);
  });

  test("list titles that name their books in stock, of several editions one that is", async () => {
    const titles = ["Light", "Sound", "Heat"].map((title) => ({ title, price: 12.5 }));
    const { id } = await save({ page: "showcase", titles });
    await addBook(open(), { publisher: "CGP", title: "LIGHT", stock: 0 });
    const light = await addBook(open(), { publisher: "CGP", title: "Light", stock: 3 });
    const heat = await addBook(open(), { publisher: "CGP", title: "Heat", stock: 0 });
    await addBook(open(), { publisher: "Collins", title: "Sound", stock: 3 });
    expect(
      await open().as(visitor, (query) =>
        query("select place::int, book_id, in_stock from public.list_titled_books($1)", [id]),
      ),
    ).toEqual([
      { place: 1, book_id: light.id, in_stock: true },
      { place: 3, book_id: heat.id, in_stock: false },
    ]);
  });
});
