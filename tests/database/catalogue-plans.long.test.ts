import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";

/** One plan node of EXPLAIN (FORMAT JSON). */
type Plan = { "Node Type": string; "Index Name"?: string; Plans?: Plan[] };

/** What EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) says of how much was read. */
type Timed = { Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } };

/** One plan node of EXPLAIN (ANALYZE, FORMAT JSON); rows are those of one loop. */
type RunPlan = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: RunPlan[];
};

/** What EXPLAIN (ANALYZE, FORMAT JSON) says of a change; triggers that were not called are left out. */
type Run = { Triggers: { "Trigger Name": string; Calls: number }[] };

/** Enough for the planner to choose the same indexes as in a large shop. */
const BOOKS = inGateOrLong(25_000, 100_000);

describeDatabase(`With ${BOOKS} books`, (open) => {
  // The trigram indexes are taken away and made again as they were: filling them row by row costs several times as much.
  beforeAll(async () => {
    const indexes = await open().query<{ definition: string }>(
      "select pg_get_indexdef(id) as definition from unnest('{public.books_search,public.books_words}'::regclass[]) as id",
    );
    await open().run(`
      alter table public.books disable trigger user;
      drop index public.books_search, public.books_words;
      insert into public.books (title, publisher, subject, course, isbn, description, price, stock_quantity)
      select 'Book ' || md5(i::text) || ' volume ' || i % 50, 'Publisher ' || i % 40, 'Subject ' || i % 25,
             'Course ' || i % 60, '978' || lpad(i::text, 10, '0'), 'About ' || md5((i * 7)::text), 45 + i % 700, i % 30
        from generate_series(1, ${BOOKS}) i;
      ${indexes.map(({ definition }) => definition).join(";\n")};
      alter table public.books enable trigger user;
      select private.count_tallies();`);
    await open().query("vacuum analyze public.books");
  }, 600_000);

  const explain = async (sql: string): Promise<Plan[]> => {
    const [row] = await open().query<{ "QUERY PLAN": [{ Plan: Plan }] }>(`explain (format json) ${sql}`);
    const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
    return flatten((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan);
  };
  const indexesOf = (plan: Plan[]) => plan.flatMap((node) => node["Index Name"] ?? []);

  /** The very statement that search_books runs, as one whose rights are a visitor's. */
  type Filters = {
    q?: string;
    publisher?: string;
    course?: string;
    prices?: [number, number];
    inStock?: boolean;
    sort?: string;
    page?: number;
    afterTitle?: string;
    kind?: string;
  };
  const searchStatement = async ({ prices, inStock, afterTitle, ...others }: Filters): Promise<string> => {
    const search = {
      ...others,
      min_price: prices?.[0],
      max_price: prices?.[1],
      in_stock: inStock,
      page_size: 24,
      after_title: afterTitle,
      after_id: afterTitle && randomUUID(),
    };
    const [row] = await open().query<{ sql: string }>(
      "select private.search_books_query(jsonb_populate_record(null::public.book_search, $1)) as sql",
      [search],
    );
    return row?.sql ?? "";
  };
  const searchPlan = async (filters: Filters) => {
    const statement = await searchStatement(filters);
    return open().as({ role: "anon" }, async (query) => {
      const [plan] = await query<{ "QUERY PLAN": [{ Plan: Plan }] }>(`explain (format json) ${statement}`);
      const flatten = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
      return flatten((plan as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan);
    });
  };

  test.for([
    "c4ca4238a0b923820dcc",
    "zebra crossing",
    "978-0-000-04242",
    "100% of 'this'",
    "ɔbɔ",
    "ŋkɔ",
    "ɣ",
  ])("the trigram index serves a visitor's search for %s", async (q) => {
    const plan = await searchPlan({ q });
    expect(indexesOf(plan)).toContain("books_search");
    expect(plan.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  });

  test.for(["c4ca4238a0b923820dcc", "zebra crossing", "978-0-000-04242", "volume 7", "book"])(
    "the few books that match %s are found without reading all",
    async (q) => {
      const [row] = await open().query<{ sql: string }>(
        "select private.few_books_query(private.text_condition($1)) as sql",
        [q],
      );
      const plan = await open().as({ role: "anon" }, async (query) => {
        const [run] = await query<{ "QUERY PLAN": [Timed] }>(
          `explain (analyze, buffers, format json) ${row?.sql}`,
        );
        return (run as { "QUERY PLAN": [Timed] })["QUERY PLAN"][0].Plan;
      });
      const [table] = await open().query<{ pages: number }>(
        "select relpages as pages from pg_class where oid = 'public.books'::regclass",
      );
      // A word that is everywhere ends at the limit.
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan((table?.pages ?? 0) / 2);
    },
  );

  test("pages come from the index on titles, also by key and for a publisher, without a full sort", async () => {
    for (const [filters, index] of [
      [{}, "books_by_title"],
      [{ page: 100 }, "books_by_title"],
      [{ afterTitle: "Book m" }, "books_by_title"],
      [{ publisher: "Publisher 7" }, "books_by_publisher"],
      [{ publisher: "Publisher 7", afterTitle: "Book m" }, "books_by_publisher"],
      [{ kind: "book" }, "books_by_kind"],
    ] as const) {
      const plan = await searchPlan(filters);
      const found = plan.slice(plan.findIndex((node) => node["Node Type"] === "Limit"));
      expect([filters, indexesOf(found.slice(0, 2))]).toEqual([filters, [index]]);
      expect(found[1]?.["Node Type"]).toBe("Index Only Scan");
      // What is sorted is the page alone.
      expect(plan.slice(0, -found.length).map((node) => node["Node Type"])).toContain("Sort");
    }
  });

  test.for([
    { course: "Course 7", prices: [100, 300], inStock: true },
    { publisher: "Publisher 7", course: "Course 7", prices: [100, 300] },
    { publisher: "Publisher 7", course: "Course 8" },
    { prices: [700, 710] },
    { inStock: true, sort: "rating" },
    { publisher: "Publisher 7", sort: "newest" },
    { publisher: "Publisher 7", course: "Course 8", sort: "newest" },
    { publisher: "Publisher 7", prices: [100, 300], sort: "rating" },
    { prices: [600, 700], sort: "price" },
    { course: "Course 7", prices: [600, 700], sort: "price-desc" },
    { publisher: "Publisher 7", kind: "book", sort: "newest" },
    { kind: "book", prices: [600, 700], inStock: true },
  ] satisfies Filters[])("for %o no more rows are read than the page shows", async (filters) => {
    for (const page of [1, 100]) {
      const statement = await searchStatement({ ...filters, page });
      const plan = await open().as({ role: "anon" }, async (query) => {
        const [run] = await query<{ "QUERY PLAN": [{ Plan: RunPlan }] }>(
          `explain (analyze, buffers, format json) ${statement}`,
        );
        return (run as { "QUERY PLAN": [{ Plan: RunPlan }] })["QUERY PLAN"][0].Plan;
      });
      const flatten = (node: RunPlan): RunPlan[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
      const rowsRead = flatten(plan)
        .filter((node) => /Seq Scan|Heap Scan|^Index Scan/.test(node["Node Type"]))
        .map((node) => node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)));
      expect(rowsRead.reduce((all, rows) => all + rows, 0)).toBeLessThanOrEqual(24);
    }
  });

  test.for([{ publisher: "Publisher 7" }, { course: "Course 7" }, { subject: "Subject 7" }])(
    "what can be chosen beside %o is counted from an index alone",
    async (filters) => {
      const [run] = await open().as({ role: "anon" }, (query) =>
        query<{ "QUERY PLAN": [Timed] }>(
          `explain (analyze, buffers, format json) select * from ${searchCall("list_book_choices", "'{50,100}'")}`,
          [filters],
        ),
      );
      const { Plan } = (run as { "QUERY PLAN": [Timed] })["QUERY PLAN"][0];
      // The rows of these books are on a page each.
      expect(Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"]).toBeLessThan(BOOKS / 100);
    },
  );

  // 71 % of the books are between these prices, 2.5 % are the publisher's, and few fit: the page is beyond the last.
  test.for(["price", "price-desc"])(
    "by %s, the matches of a publisher, a course and a price range are collected from the publisher's or course's index",
    async (sort) => {
      const statement = await searchStatement({
        publisher: "Publisher 7",
        course: "Course 7",
        prices: [100, 600],
        sort,
        page: 100,
      });
      const plan = await open().as({ role: "anon" }, async (query) => {
        const [run] = await query<{ "QUERY PLAN": [{ Plan: RunPlan }] }>(
          `explain (analyze, format json) ${statement}`,
        );
        return (run as { "QUERY PLAN": [{ Plan: RunPlan }] })["QUERY PLAN"][0].Plan;
      });
      const flatten = (node: RunPlan): RunPlan[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
      const entriesRead = flatten(plan)
        .filter((node) => node["Node Type"] === "Index Only Scan")
        .map((node) => node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)));
      expect(entriesRead.reduce((all, rows) => all + rows, 0)).toBeLessThan(15_000);
    },
  );

  // The first text is in every book, 'volume 7' in every fiftieth, 'abc' in a few hundred, the last in one.
  test.for([
    { q: "book" },
    { q: "volume 7", publisher: "Publisher 7" },
    { q: "volume 7", max_price: 100, sort: "price" },
    { q: "abc", sort: "newest" },
    { q: "abcd" },
    { q: "c4ca4238a0b923820dcc" },
  ])("pages and counts for %o equal those from reading every book", async (filters) => {
    const conditions = `lower(concat_ws(E'\\n', title, publisher, course, subject, isbn, description)) like '%' || $1 || '%' and ($2::text is null or publisher = $2) and ($3::numeric is null or price <= $3)`;
    const orders = { price: "price, title_key, id", newest: "created_at desc, id desc" };
    const order = filters.sort ? orders[filters.sort as keyof typeof orders] : "title_key, id";
    const wanted = [filters.q, filters.publisher ?? null, filters.max_price ?? null];
    const expected = await open().query<{ id: string }>(
      `select id from public.books where ${conditions} order by ${order} limit 24 offset 24`,
      wanted,
    );
    const [all] = await open().query<{ total: number }>(
      `select count(*) as total from public.books where ${conditions}`,
      wanted,
    );
    const [row] = await open().as({ role: "anon" }, (query) =>
      query<{ page: { books: { id: string }[]; total: number } }>(
        `select ${searchCall("catalogue_page", "'{id}', _with_total => true")} as page`,
        [{ ...filters, page: 2, page_size: 24 }],
      ),
    );
    expect(row?.page.books.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(row?.page.total).toBe(all?.total);
  });

  test("the back office's pages past the middle and at the end are in order too", async () => {
    const admin = await addStaff(open(), "admin");
    const orders = {
      created_at: "created_at asc, id asc",
      title: "title_key asc, id asc",
      price: "price asc, title_key asc, id asc",
      publisher: "publisher asc, title_key asc, id asc",
    };
    const last = Math.ceil(BOOKS / 64);
    for (const [sort, order] of Object.entries(orders)) {
      const expected = await open().query<{ id: string }>(
        `select id from public.books order by ${order} offset ${(last - 2) * 64}`,
      );
      const listed: string[] = [];
      // No book comes after the last one.
      for (const page of [last - 1, last, last + 1]) {
        const rows = await open().as(admin, (query) =>
          query<{ id: string }>(
            "select id from public.admin_list_books(_sort => $1, _descending => false, _page => $2, _page_size => 64)",
            [sort, page],
          ),
        );
        listed.push(...rows.map(({ id }) => id));
      }
      expect([sort, listed]).toEqual([sort, expected.map(({ id }) => id)]);
    }
  });

  test("counting the matches also uses the trigram index", async () => {
    const [row] = await open().query<{ conditions: string }>(
      "select private.text_condition('c4ca4238a0b92') as conditions",
    );
    expect(indexesOf(await explain(`select count(*) from public.books b where ${row?.conditions}`))).toEqual([
      "books_search",
    ]);
  });

  test("a change is seen by pages row by row, and one that no page shows costs nothing, however many books change at once", async () => {
    const calls = async (change: string) => {
      const [row] = await open().query<{ "QUERY PLAN": [Run] }>(
        `explain (analyze, format json) update public.books set ${change}
          where id in (select id from public.books where stock_quantity >= 10 limit 20)`,
      );
      const { Triggers } = (row as { "QUERY PLAN": [Run] })["QUERY PLAN"][0];
      return Triggers.filter((trigger) => trigger["Trigger Name"].startsWith("bump_")).map(
        ({ Calls }) => Calls,
      );
    };
    expect(await calls("stock_quantity = 50")).toEqual([]);
    expect(await calls("stock_quantity = 5")).toEqual([20]);
  });
});

describeDatabase("Right after an import into an empty shop", (open) => {
  test("a search uses the trigram index, and little of it waits to be sorted in", async () => {
    const admin = await addStaff(open(), "admin");
    await open().as(admin, async (query) => {
      const [created] = await query<{ id: string }>(
        "select public.create_book_import(_file_name => 'books.csv', _default_price => 45) as id",
      );
      for (let chunk = 0; chunk < 6; chunk++)
        await query(
          `select public.stage_book_import_rows($1, (
             select jsonb_agg(jsonb_build_object('line', i, 'title', 'Book ' || md5(i::text), 'authors', md5((i * 7)::text)))
               from generate_series($2::int + 1, $2::int + 500) i))`,
          [created?.id, chunk * 500],
        );
      await query("select public.apply_book_import($1)", [created?.id]);
    });
    const plan = await open().as({ role: "anon" }, async (query) => {
      const [row] = await query<{ sql: string }>(
        "select private.few_books_query(private.text_condition('c4ca4238a0')) as sql",
      );
      const [run] = await query<{ "QUERY PLAN": [Timed] }>(
        `explain (analyze, buffers, format json) ${row?.sql}`,
      );
      return (run as { "QUERY PLAN": [Timed] })["QUERY PLAN"][0].Plan;
    });
    expect(JSON.stringify(plan)).toContain('"books_search"');
    expect(JSON.stringify(plan)).not.toContain("Seq Scan");
    expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(60);
  });
});
