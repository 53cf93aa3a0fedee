import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

/* One request, or many concurrent ones, that would keep a database busy for minutes. */

const AT_ONCE = 50;

/** Statements that take as long as they are let. */
const dawdling = ["dawdle", "dawdle_shortly"]
  .map(
    (name) => `create function public.${name}() returns int language sql
      ${name === "dawdle" ? "" : "set statement_timeout = '100ms'"} as $$ select 1 from pg_sleep(60) $$;
      revoke execute on function public.${name}() from public;
      grant execute on function public.${name}() to anon, service_role;`,
  )
  .join("\n");

describe("A request that asks for too much", () => {
  let api: OwnApi;
  beforeAll(async () => {
    api = await openOwnApi(dawdling);
    // The longest descriptions that there can be.
    await api.fillShelf(3_000, 400);
  });
  afterAll(() => api?.close());

  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

  /** How long a visitor of another address waits for a page of the catalogue, in ms: half of 9 times are below it. */
  async function waitOfAnother(): Promise<number> {
    const times: number[] = [];
    for (let at = 0; at < 9; at += 1) {
      const startedAt = performance.now();
      const page = await api.ask("/rest/v1/rpc/search_books?select=id,title", {
        body: { _search: { page_size: 24 } },
        ip: "198.51.100.7",
      });
      expect(page.status).toBe(200);
      await page.arrayBuffer();
      times.push(performance.now() - startedAt);
    }
    return median(times);
  }

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

  it.each(shapes)(
    `keeps no other visitor waiting, ${AT_ONCE} concurrently: %s`,
    async (_, path, body) => {
      const idle = await waitOfAnother();
      const leaving = new AbortController();
      let going = true;
      const statuses = new Set<number>();
      const greedy = Array.from({ length: AT_ONCE }, async () => {
        while (going) {
          const call = { ...(body ? { body } : {}), ip: "203.0.113.9", signal: leaving.signal };
          const answer = await api.ask(path, call).catch(() => null);
          if (answer) statuses.add(answer.status);
          await answer?.arrayBuffer();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      const busy = await waitOfAnother();
      going = false;
      leaving.abort();
      await Promise.all(greedy);
      // Two of its statements share the machine's cores with everybody else's; 50 would not leave any.
      expect(busy).toBeLessThan(Math.max(idle, 10) * 15);
      expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    },
    120_000,
  );

  const dawdlers = () =>
    api.sql.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state = 'active' and query like '%dawdle%'`,
    );

  it("is cancelled in the database when its sender disconnects", async () => {
    const leaving = new AbortController();
    // The owner's requests have minutes, so that no timeout ends it.
    const asked = api.ask("/rest/v1/rpc/dawdle", { body: {}, key: "secret", signal: leaving.signal });
    await vi.waitFor(async () => expect(await dawdlers()).toHaveLength(1), { timeout: 20_000 });
    leaving.abort();
    await asked;
    expect(await dawdlers()).toEqual([]);
    expect((await api.ask("/rest/v1/books?limit=1", { key: "secret" })).status).toBe(200);
  });

  it("ends after a visitor's three seconds, with a status that no client retries automatically", async () => {
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
    expect(await dawdlers()).toEqual([]);
  });

  it("ends at the function's own timeout, as in a hosted project", async () => {
    const answer = await api.ask("/rest/v1/rpc/dawdle_shortly", { body: {}, key: "secret" });
    expect(((await answer.json()) as { code: string }).code).toBe("57014");
  });
});
