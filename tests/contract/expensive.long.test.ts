import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

/* One request, or many concurrent ones, that would keep a database busy for minutes. */

const AT_ONCE = 50;
const GREEDY = "203.0.113.9";

/** Functions that take as long as they are let: two until their timeout, one until the test releases a lock. */
const endless = [
  ["dawdle", "select 1 from pg_sleep(60)", ""],
  ["dawdle_shortly", "select 1 from pg_sleep(60)", "set statement_timeout = '150ms'"],
  ["wait_for_test", "select 1 from pg_advisory_xact_lock(4242)", "set statement_timeout = '10min'"],
]
  .map(
    ([
      name,
      body,
      setting,
    ]) => `create function public.${name}() returns int language sql ${setting} as $$ ${body} $$;
      revoke execute on function public.${name}() from public;
      grant execute on function public.${name}() to anon, authenticated, service_role;`,
  )
  .join("\n");

describe("A request that asks for too much", () => {
  let api: OwnApi;
  beforeAll(async () => {
    api = await openOwnApi(endless, {
      timeouts: { anon: 1_000, authenticated: 60_000, service_role: 120_000 },
    });
    // The longest descriptions that there can be.
    await api.fillShelf(1_000, 400);
  });
  afterAll(() => api?.close());

  it.each([
    ["a backtracking pattern", "books?description=match.(.%2B)(.%2B)(.%2B)%5C1%5C2%5C3"],
    ["a full text search of signs", `books?title=fts.${"!".repeat(50)}`],
    ["an order in itself, four deep", "orders?select=*,order_items(*,orders(*,order_items(*,orders(*))))"],
    ["a book among the lines of its own orders", "books?select=*,order_items(*,books(*))"],
    ["when a row was written", "books?select=xmin"],
    ["where a row lies", "books?ctid=eq.(0,1)"],
    ["a pattern of wildcards", "books?description=ilike.%25a%25e%25zq%25"],
    ["24 patterns", `books?or=(${Array(24).fill("description.ilike.*zq*").join(",")})`],
    ["a filter of 10,000 letters", `books?or=(${Array(900).fill("price.eq.1").join(",")})`],
  ])("is refused below 500 without a query to the database: %s", async (_, path) => {
    const answer = await api.ask(`/rest/v1/${path}`);
    expect([answer.status, await answer.json()]).toEqual([
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
      { code: expect.any(String), message: expect.any(String), details: null, hint: null },
    ]);
  });

  const inAnyColumn = ["title", "publisher", "course", "subject", "isbn", "description"]
    .map((column) => `${column}.ilike.%25zq%25`)
    .join(",");
  const shapes: [name: string, path: string, body?: object][] = [
    ["a text in any of six columns", `/rest/v1/books?or=(${inAnyColumn})&order=description`],
    ["a far page", "/rest/v1/books?order=description.desc&offset=1000000"],
    ["the longest rows", "/rest/v1/books?order=description.desc&limit=1000"],
    ["500 values", `/rest/v1/books?description=in.(${Array(500).fill("plants").join(",")})`],
    [
      "a search of common letters",
      "/rest/v1/rpc/search_books",
      { _search: { q: "a ".repeat(100), page_size: 1_000 } },
    ],
    [
      "a page of a search far behind",
      "/rest/v1/rpc/search_books",
      { _search: { q: "plants", page: 1_000_000 } },
    ],
    ["counting a search", "/rest/v1/rpc/count_books", { _search: { q: "%_%_%_%_%_%" } }],
    ["the facets of everything", "/rest/v1/rpc/list_book_facets", { _q: "forces" }],
  ];

  const running = (name: string) =>
    api.sql.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state = 'active' and query like '%' || $1 || '%'`,
      [name],
    );

  it(`waits for others of its own sender, ${AT_ONCE} concurrently, and no other visitor waits for it`, async () => {
    const leaving = new AbortController();
    let greedy: Promise<unknown>[] = [];
    await api.sql.transaction(async (sql) => {
      await sql.query("select pg_advisory_xact_lock(4242)");
      const wait = () =>
        api.ask("/rest/v1/rpc/wait_for_test", { body: {}, ip: GREEDY, signal: leaving.signal });
      greedy = Array.from({ length: AT_ONCE }, wait);
      await eventually(async () => expect((await running("wait_for_test")).length).toBeGreaterThan(0), {
        timeout: 20_000,
      });
      for (const [n, [name, path, body]] of shapes.entries()) {
        const call = body ? { body } : {};
        let own = 0;
        const sent = api.ask(path, { ...call, ip: GREEDY, signal: leaving.signal }).then((answer) => {
          own = answer.status;
        });
        greedy.push(sent);
        const other = await api.ask(path, { ...call, ip: `198.51.100.${n}` });
        const said = other.status < 500 ? await other.arrayBuffer().then(() => "") : await other.text();
        // 503 is for who has waited for ten seconds.
        expect([name, said, [0, 503].includes(own)]).toEqual([name, "", true]);
      }
      expect((await running("wait_for_test")).length).toBeLessThanOrEqual(2);
    });
    leaving.abort();
    await Promise.all(greedy);
  });

  it("leaves turns for other customers, however many of six customers' take as long as they are let", async () => {
    const [other, ...busy] = await Promise.all(Array.from({ length: 7 }, () => api.newPerson()));
    // Their requests have taken long before.
    await Promise.all(busy.map((as) => api.ask("/rest/v1/rpc/dawdle_shortly", { as, body: {} })));
    const leaving = new AbortController();
    let held: Promise<unknown>[] = [];
    await api.sql.transaction(async (sql) => {
      await sql.query("select pg_advisory_xact_lock(4242)");
      held = busy.flatMap((as) =>
        Array.from({ length: 15 }, () =>
          api.ask("/rest/v1/rpc/wait_for_test", { as, body: {}, signal: leaving.signal }),
        ),
      );
      await eventually(async () => expect(await running("wait_for_test")).toHaveLength(3), {
        timeout: 20_000,
      });
      for (const path of ["orders", "cart_items", "books"])
        expect([path, (await api.ask(`/rest/v1/${path}?limit=1`, { as: other })).status]).toEqual([
          path,
          200,
        ]);
    });
    leaving.abort();
    await Promise.all(held);
  });

  it("is cancelled in the database when its sender disconnects", async () => {
    const leaving = new AbortController();
    // The owner's requests have minutes, so that no timeout ends it.
    const asked = api.ask("/rest/v1/rpc/dawdle", { body: {}, key: "secret", signal: leaving.signal });
    await eventually(async () => expect(await running("dawdle")).toHaveLength(1), { timeout: 20_000 });
    leaving.abort();
    await asked;
    expect(await running("dawdle")).toEqual([]);
    expect((await api.ask("/rest/v1/books?limit=1", { key: "secret" })).status).toBe(200);
  });

  it("ends after a visitor's time, with a status that no client retries automatically", async () => {
    const answer = await api.ask("/rest/v1/rpc/dawdle", { body: {} });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        code: "57014",
        message: "This request takes too long. Ask for less at a time.",
        details: null,
        hint: null,
      },
    ]);
    expect(await running("dawdle")).toEqual([]);
  });

  it("ends at the function's own timeout, as in a hosted project", async () => {
    const answer = await api.ask("/rest/v1/rpc/dawdle_shortly", { body: {}, key: "secret" });
    expect(((await answer.json()) as { code: string }).code).toBe("57014");
  });
});
