import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";

type Seen = { kind?: string; text: string; found?: number; visitor?: string };

describeDatabase("What visitors look for and the shop doesn't have", (open) => {
  let admin: SignedIn;
  let today = "";
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    today = (await open().query<{ day: string }>("select private.today()::text as day"))[0]?.day ?? "";
  });
  beforeEach(() =>
    open().run(
      "truncate private.unmet_demand, private.unmet_demand_visitors, private.unmet_demand_salts, public.booklists cascade",
    ),
  );

  const salt = async () =>
    (await open().as(secretKey, (query) => query<{ salt: string }>("select public.demand_salt() as salt")))[0]
      ?.salt ?? "";
  const countWith = (usedSalt: string, seen: Seen[]) =>
    open().as(secretKey, (query) =>
      query("select public.count_demand($1, $2)", [
        usedSalt,
        JSON.stringify(seen.map((each) => ({ kind: "search", found: 0, visitor: "a", ...each }))),
      ]),
    );
  const count = async (seen: Seen[]) => countWith(await salt(), seen);
  const by = (text: string, ...visitors: string[]) => visitors.map((each) => ({ text, visitor: each }));
  const asAdmin = (sql: string, values: unknown[] = []) =>
    open().as(admin, (query) => query<Row>(sql, values));
  const report = async (kind = "search", from = today, to = today) =>
    (
      await asAdmin("select text, visitors, found from public.report_demand($1, $2, $3)", [from, to, kind])
    ).map(({ text, visitors, found }) => `${text}: ${visitors} (${found})`);
  const rows = async (table: string) =>
    (await open().query<{ n: number }>(`select count(*) as n from private.${table}`))[0]?.n;

  test("a text is shown once three different visitors have looked for it in a month, however they write it", async () => {
    await count([...by("Aki-Ola  MATHS", "a", "a"), ...by("aki-ola maths", "a", "b")]);
    await count(by("aki-ola maths", "a", "b"));
    expect(await report()).toEqual([]);
    await count([{ text: "Akí-Ola Maths", visitor: "c", found: 2 }]);
    expect(await report()).toEqual(["aki-ola maths: 3 (2)"]);
    await count([{ text: "aki-ola maths", visitor: "c", found: 0 }]);
    expect(await report()).toEqual(["aki-ola maths: 3 (2)"]);
  });

  test("a bulk order line is shown once two different visitors had it, separately from searches", async () => {
    const line = (text: string, who: string) => ({ kind: "line", text, visitor: who });
    await count([
      line("978-0-521-61872-4", "a"),
      line("9780521618724", "b"),
      line("Twi reader", "a"),
      line("once", "a"),
      ...by("twi reader", "b", "c"),
    ]);
    expect(await report("line")).toEqual(["9780521618724: 2 (0)"]);
    expect(await report()).toEqual([]);
  });

  test("concurrent calls count each visitor once, and a repeated call counts nothing", async () => {
    const used = await salt();
    const seen = ["one", "two", "three"].flatMap((text) => by(text, "a", "b", "c", "d"));
    await Promise.all([1, 2, 3, 4].map(() => countWith(used, seen)));
    await Promise.all([countWith(used, [...seen].reverse()), countWith(used, seen)]);
    expect(await report()).toEqual(["one: 4 (0)", "three: 4 (0)", "two: 4 (0)"]);
  });

  test.each([
    ["ama@school.example", null],
    ["024 412 3456", null],
    ["+233 (24) 412-3456", null],
    // Valid as short ISBNs too, but written like phone numbers.
    ["0244000000", null],
    ["0244123454", null],
    ["244123454", null],
    ["GA-183-8164", null],
    ["GHA-123456789-0", null],
    ["4111 1111 1111 1111", null],
    ["https://example.com/x", null],
    ["www.example.com", null],
    ["gmail.com/ama", null],
    ["ama.mensah.com.gh", null],
    ["024_412*3456", null],
    ["0\u200b244\u200b123\u200b456", null],
    ["٠٢٤٤١٢٣٤٥٦", null],
    ["۰۲۴۴۱۲۳۴۵۶", null],
    ["\u200b\u2060\ufeff", null],
    ["Ma\u00adths\u202e 4\u2066", "maths 4"],
    ["Primary 1, Primary 2.", "primary 1, primary 2."],
    ["a", null],
    ["long ".repeat(30), null],
    ["9780521618725", null],
    ["978-0-521-61872-4", "9780521618724"],
    ["0-521-61872-X", "9780521618724"],
    ["Maths 4\u0007 ", "maths 4"],
    ["Sɛnkyerɛnne", "senkyerenne"],
    ["100% \\ _ ' \"; drop table", "100% \\ _ ' \"; drop table"],
  ])("the text '%s' is counted as %j", async (text, counted) => {
    expect(await open().query("select private.demand_text($1) as counted", [text])).toEqual([{ counted }]);
  });

  test("texts about people are never stored", async () => {
    await count([...by("ama@school.example", "a", "b", "c"), ...by("0244 123 456", "a", "b", "c")]);
    expect([await rows("unmet_demand"), await rows("unmet_demand_visitors")]).toEqual([0, 0]);
  });

  test("the stored rows neither identify visitors nor connect one visitor's texts", async () => {
    await count([...by("first", "network-a"), ...by("second", "network-a")]);
    const stored = await open().query<{ row: string; visitor: string }>(
      "select v::text as row, encode(visitor, 'hex') as visitor from private.unmet_demand_visitors v",
    );
    expect(new Set(stored.map((each) => each.visitor)).size).toBe(2);
    const hex = Buffer.from("network-a").toString("hex");
    for (const { row } of stored) expect(row).not.toMatch(new RegExp(`network-a|${hex}`));
  });

  test("the first call of a month, or two at once, deletes last month's salt, hashes and rare texts", async () => {
    const before = await salt();
    await count([...by("popular", "a", "b", "c"), ...by("rare", "a", "b")]);
    await open().run(`
      update private.unmet_demand_salts set month = month - interval '1 month';
      update private.unmet_demand set day = day - interval '1 month';
      insert into private.unmet_demand values ('search', current_date - interval '4 years', 'old', 9, 0)`);
    const salts = await Promise.all([salt(), salt(), salt(), salt()]);
    expect(new Set(salts).size).toBe(1);
    expect(salts[0]).not.toBe(before);
    expect(salts[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await open().query("select text, visitors from private.unmet_demand")).toEqual([
      { text: "popular", visitors: 3 },
    ]);
    expect([await rows("unmet_demand_visitors"), await rows("unmet_demand_salts")]).toEqual([0, 1]);
    await countWith(before, by("late", "a", "b", "c"));
    expect(await rows("unmet_demand_visitors")).toBe(0);
  });

  test("visitors add up within a month, not across months", async () => {
    await open().run(`insert into private.unmet_demand values
      ('search', '2026-03-31', 'two months', 2, 0), ('search', '2026-04-01', 'two months', 2, 0),
      ('search', '2026-04-02', 'one month', 1, 2), ('search', '2026-04-20', 'one month', 2, 1)`);
    expect(await report("search", "2026-03-01", "2026-04-30")).toEqual(["one month: 3 (1)"]);
    expect(await report("search", "2026-04-01", "2026-04-10")).toEqual(["one month: 1 (2)"]);
    expect(await report("search", "2026-04-10", "2026-12-31")).toEqual(["one month: 2 (1)"]);
    const overTime = (grain: string) =>
      asAdmin(
        "select start::text, texts, visitors from public.report_demand_over_time('2026-03-15', '2026-04-30', 'search', $1)",
        [grain],
      );
    expect(await overTime("month")).toEqual([{ start: "2026-04-01", texts: 1, visitors: 3 }]);
    expect(await overTime("week")).toEqual([
      { start: "2026-03-30", texts: 1, visitors: 1 },
      { start: "2026-04-20", texts: 1, visitors: 2 },
    ]);
  });

  test("of 10,000 invented texts 2,000 a day are stored, and existing texts are still counted", async () => {
    await count(by("aki-ola maths", "a"));
    const used = await salt();
    for (let batch = 0; batch < 10; batch += 1)
      await countWith(
        used,
        Array.from({ length: 1000 }, (_, n) => ({ text: `invented ${batch} ${n}`, visitor: `${n}` })),
      );
    expect([await rows("unmet_demand"), await rows("unmet_demand_visitors")]).toEqual([2000, 2000]);
    await count(by("aki-ola maths", "b", "c"));
    expect(await report()).toEqual(["aki-ola maths: 3 (0)"]);
  });

  test("at most 10,000 visitors a day are counted", async () => {
    const used = await salt();
    await open().query("insert into private.unmet_demand values ('search', private.today(), 'x 1', 9999, 0)");
    await countWith(used, [...by("x 1", "a", "b"), ...by("x 2", "a")]);
    expect(await report()).toEqual(["x 1: 10000 (0)"]);
    await countWith(used, [{ kind: "line", text: "x 1", visitor: "a" }]);
    expect(await rows("unmet_demand")).toBe(2);
  });

  test("hostile rows are ignored, and only the secret key can count", async () => {
    await countWith(await salt(), [
      { kind: "person", text: "x y" },
      { text: "x y", visitor: "" },
      { text: "x y", visitor: "v".repeat(101) },
      { text: null as unknown as string },
      { text: "y z", found: 9_000 },
    ]);
    expect(await open().query("select kind, text, found from private.unmet_demand")).toEqual([
      { kind: "search", text: "y z", found: 2 },
    ]);
    for (const person of [visitor, admin])
      for (const call of ["demand_salt()", "count_demand('', '[]')"])
        expect(
          (await refusalOf(open().as(person, (query) => query(`select public.${call}`)))).code,
          call,
        ).toBe("42501");
  });

  test("an invalid period, kind or grain is refused", async () => {
    for (const call of [
      "report_demand('2026-02-01', '2026-01-01', 'search')",
      "report_demand('2026-01-01', '2026-02-01', 'person')",
      "report_demand_over_time('2026-01-01', '2026-02-01', 'search', 'hour')",
      "report_wished('2026-01-01', null)",
      "report_listed(null, '2026-01-01')",
    ])
      expect((await refusalOf(asAdmin(`select * from public.${call}`))).detail?.code, call).toBe(
        "invalid_field",
      );
  });

  test("the report of wishlists has each book's stock and how often it was added in the period", async () => {
    const [often, lately] = [
      await addBook(open(), { title: "Often wished", stock: 0 }),
      await addBook(open(), { title: "Lately wished", stock: 7 }),
    ];
    const people = [await addCustomer(open()), await addCustomer(open()), await addCustomer(open())];
    for (const { id } of people)
      await open().query(
        "insert into public.wishlists (user_id, book_id, created_at) values ($1, $2, '2026-01-31 23:59:59+00')",
        [id, often.id],
      );
    await open().query(
      "insert into public.wishlists (user_id, book_id, created_at) values ($1, $2, '2026-02-01 00:00+00')",
      [people[0]?.id, lately.id],
    );
    const wished = (from: string, to: string) =>
      asAdmin(
        "select title, added, wishlists, stock_quantity from public.report_wished($1, $2) where title like '%wished'",
        [from, to],
      );
    expect(await wished("2026-02-01", "2026-02-28")).toEqual([
      { title: "Lately wished", added: 1, wishlists: 1, stock_quantity: 7 },
      { title: "Often wished", added: 0, wishlists: 3, stock_quantity: 0 },
    ]);
    expect((await wished("2026-01-01", "2026-02-28"))[0]).toMatchObject({ title: "Often wished", added: 3 });
  });

  test("booklist lines without a book are added up by title for the period's lists and school years", async () => {
    const book = await addBook(open(), { title: "Sold here" });
    const gone = await addBook(open(), { title: "No longer sold" });
    const list = async (school: string, schoolYear: string, titles: (string | { id: string })[]) => {
      const lines = titles.map((each) => (typeof each === "string" ? { title: each } : { book_id: each.id }));
      const [saved] = await asAdmin(
        "select id from public.save_booklist(_school => $1, _class_name => 'Class 4', _school_year => $2, _lines => $3::jsonb)",
        [school, schoolYear, JSON.stringify(lines)],
      );
      return saved?.id;
    };
    await list("Hilltop School", "2026/2027", ["Twi Reader", book, gone]);
    await list("Hilltop School", "2026/2027", ["TWI reader"]);
    await list("Baobab Academy", "2026/2027", ["twi reader"]);
    const withdrawn = await list("Withdrawn School", "2026/2027", ["Withdrawn title"]);
    await list("Old School", "2020/2021", ["Old title"]);
    await open().query("update public.booklists set status = 'withdrawn' where id = $1", [withdrawn]);
    await open().query("update public.booklists set created_at = '2026-03-01' where school <> 'Old School'");
    await open().query("update public.booklists set created_at = '2020-07-01' where school = 'Old School'");
    await open().query("delete from public.books where id = $1", [gone.id]);
    const listed = async (from: string, to: string) =>
      (
        await asAdmin("select title, lists, schools, school from public.report_listed($1, $2)", [from, to])
      ).map(({ title, lists, schools }) => `${String(title).toLowerCase()}: ${lists} of ${schools}`);
    const now = ["twi reader: 3 of 2", "no longer sold: 1 of 1"];
    expect(await listed("2026-09-01", "2026-09-01")).toEqual(now);
    expect(await listed("2027-08-31", "2027-12-31")).toEqual(now);
    expect(await listed("2026-02-28", "2026-03-01")).toEqual(now);
    expect(await listed("2026-03-02", "2026-08-31")).toEqual([]);
    expect(await listed("2020-07-01", "2020-07-01")).toEqual(["old title: 1 of 1"]);
  });
});
