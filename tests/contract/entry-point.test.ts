import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createApi } from "#server/api/api.ts";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import { ConcurrencyLimit } from "#server/lib/concurrency-limit.ts";
import { LoopTurns } from "#server/lib/loop-turns.ts";
import { openLoop, settleAll } from "#tests/support/event-loop.ts";
import { contentOf, jpegOf } from "#tests/support/jpeg.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";
import { openSql } from "#tests/support/test-server.ts";

/* What every request passes on its way in and out: addresses, keys, headers and the form of errors. */

let api: OwnApi;
let admin = "";
beforeAll(async () => {
  api = await openOwnApi(`
    create table public.fragile (id int, title text);
    grant select on public.fragile to anon;
    create function public.break_down() returns int language plpgsql as
      $$ begin raise exception 'at /var/lib/secret' using errcode = 'XX001'; end $$;
    create function public.be_slow() returns int language sql set statement_timeout = '50ms' as
      'select 1 from pg_sleep(2)';
    create function public.can_change() returns boolean language sql as
      $$ select current_setting('transaction_read_only') = 'off' $$;
    create function public.can_change_stable() returns boolean language sql stable as
      $$ select current_setting('transaction_read_only') = 'off' $$;
    grant execute on function public.break_down, public.be_slow, public.can_change, public.can_change_stable to anon`);
  admin = await api.newPerson("admin");
});
afterAll(() => api?.close());

const cover = "/storage/v1/object/book-covers/a.jpg";
const jpeg = { "content-type": "image/jpeg" };
const read = async (response: Response) => [response.status, await response.json()];
const notFound = { statusCode: "404", error: "not_found", message: "There is nothing at this address." };

test.each(["/", "/rest/v2/books", "/admin/v1/x", "/x/rest/v1/books", "/storage/v1"])(
  "There is nothing at %s",
  async (path) => {
    expect(await read(await api.ask(path))).toEqual([404, { message: "There is nothing at this address." }]);
  },
);

test("Responses are guarded against acting as a page, and stored only where that is said", async () => {
  const put = await api.ask(cover, {
    as: admin,
    body: jpegOf("x"),
    headers: { ...jpeg, "x-upsert": "true" },
  });
  expect(put.status).toBe(200);
  const guards = async (path: string) => {
    const { headers } = await api.ask(path);
    return ["x-content-type-options", "content-security-policy", "cache-control"].map((name) =>
      headers.get(name),
    );
  };
  expect(await guards("/rest/v1/books?limit=1")).toEqual(["nosniff", null, "no-store"]);
  expect(await guards("/rest/v1/nothing")).toEqual(["nosniff", null, "no-store"]);
  expect(await guards("/auth/v1/user")).toEqual(["nosniff", null, "no-store"]);
  const [sniff, policy, caching] = await guards("/storage/v1/object/public/book-covers/a.jpg");
  expect([sniff, policy]).toEqual(["nosniff", "default-src 'none'; sandbox"]);
  expect(caching).toContain("public");
  const refused = await api.refuseUpload("/rest/v1/books", admin);
  expect(refused?.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
});

test("Every API refuses a token whose session doesn't exist or belongs to another customer", async () => {
  const [customer, other] = [await api.newPerson(), await api.newPerson()];
  const ended = { code: "PGRST301", message: "This session has ended.", details: null, hint: null };
  const cart = "/rest/v1/cart_items?select=id";
  expect((await api.ask(cart, { as: other })).status).toBe(200);
  await api.sql.query("delete from auth.sessions where user_id = $1::text::uuid", [customer]);
  expect(await read(await api.ask(cart, { as: customer }))).toEqual([401, ended]);
  expect((await api.ask("/rest/v1/books?limit=1", { as: customer })).status).toBe(401);
  expect((await api.refuseUpload(cover, customer))?.status).toBe(400);
  const others = await api.newPerson();
  await api.sql.query("update auth.sessions set user_id = $2::text::uuid where id = $1::text::uuid", [
    others,
    other,
  ]);
  expect(await read(await api.ask(cart, { as: others }))).toEqual([401, ended]);
});

test("A wrong key is refused in the form of each API", async () => {
  const headers = { apikey: "sb_publishable_wrong" };
  const [, data] = await read(await api.ask("/rest/v1/books", { headers }));
  expect(data).toEqual({ code: expect.any(String), message: expect.any(String), details: null, hint: null });
  expect((await api.ask("/rest/v1/books", { headers })).status).toBe(401);
  expect(await read(await api.ask("/storage/v1/object/list/book-covers", { headers, body: {} }))).toEqual([
    400,
    { statusCode: "403", error: "Unauthorized", message: data.message },
  ]);
  // The accounts have keys of their own to check; a body too large is refused before them.
  expect((await api.ask("/auth/v1/user", { headers })).status).toBe(404);
  expect(await read(await api.ask("/auth/v1/signup", { body: "x".repeat(17 * 1024) }))).toEqual([
    413,
    { code: 413, error_code: "PT413", msg: "The request is too large." },
  ]);
});

test("What fails in the database is explained in a sentence, and logged by its code only", async () => {
  const before = api.log.length;
  const [status, broken] = await read(await api.ask("/rest/v1/rpc/break_down", { body: {} }));
  expect([status, JSON.stringify(broken)]).toEqual([503, expect.not.stringContaining("secret")]);
  expect(api.log.slice(before)).toEqual(["a request failed: XX001"]);
  const slow = await api.ask("/rest/v1/rpc/be_slow", { body: {} });
  expect(await read(slow)).toMatchObject([
    400,
    { code: "57014", message: "This request takes too long. Ask for less at a time." },
  ]);
  const leaving = AbortSignal.abort();
  const logged = api.log.length;
  await api.ask("/rest/v1/fragile", { signal: leaving });
  expect(api.log).toHaveLength(logged);
  await api.sql.exec("alter table public.fragile drop column title");
  const gone = await api.ask("/rest/v1/fragile?select=title");
  expect([gone.status, (await gone.json()).code]).toEqual([400, "42703"]);
});

test("Each request counts towards its client's limit: the shop and its staff, a customer, a page or a visitor's network", async () => {
  const run = vi.spyOn(ConcurrencyLimit.prototype, "run");
  onTestFinished(() => run.mockRestore());
  const clientOf = async (call: Parameters<OwnApi["ask"]>[1], path = "/rest/v1/books?limit=1") => {
    run.mockClear();
    await api.ask(path, call);
    return run.mock.calls[0]?.[0];
  };
  const customer = await api.newPerson();
  const shop = { kind: "shop", key: "shop" };
  expect(await clientOf({ key: "secret" })).toEqual(shop);
  expect(await clientOf({ ip: null })).toEqual(shop);
  expect(await clientOf({ ip: null, as: customer })).toEqual(shop);
  expect(await clientOf({ as: admin })).toEqual({ kind: "shop", key: admin });
  expect(await clientOf({ as: customer, purpose: "page" })).toEqual({ kind: "customer", key: customer });
  expect(await clientOf({ purpose: "page" })).toEqual({ kind: "page", key: "203.0.113.1" });
  expect(await clientOf({ purpose: "browser" })).toEqual({ kind: "visitor", key: "203.0.113.1" });
  const [one, neighbour, other] = [
    await clientOf({ ip: "2001:db8:1:2::3" }),
    await clientOf({ ip: "2001:db8:1:2::4" }),
    await clientOf({ ip: "2001:db8:1:3::3" }),
  ];
  expect(one).toMatchObject({ kind: "visitor", key: expect.stringContaining("2001:db8:1:2") });
  expect(neighbour).toEqual(one);
  expect(other).not.toEqual(one);
  expect(await clientOf({ ip: "somewhere" })).toEqual({ kind: "visitor", key: "somewhere" });
  const file = "/storage/v1/object/public/book-covers/a.jpg";
  expect(await clientOf({ ip: "203.0.113.9" }, file)).toEqual({ kind: "public file", key: "203.0.113.9" });
  expect(await clientOf({ as: customer, body: {} }, "/storage/v1/object/list/book-covers")).toEqual({
    kind: "customer",
    key: customer,
  });
});

test("What is not allowed is refused to a visitor as unknown, to a customer as forbidden", async () => {
  const body = { title: "Atlas", price: 1 };
  const asked = [await api.ask("/rest/v1/books", { body })];
  asked.push(await api.ask("/rest/v1/books", { body, as: await api.newPerson() }));
  expect(asked.map(({ status }) => status)).toEqual([401, 403]);
});

test("Only a changing function that is sent, not read, may change something", async () => {
  const answers = await Promise.all(
    [
      api.ask("/rest/v1/rpc/can_change", { body: {} }),
      api.ask("/rest/v1/rpc/can_change"),
      api.ask("/rest/v1/rpc/can_change_stable", { body: {} }),
      api.ask("/rest/v1/rpc/can_change_stable"),
    ].map(async (answer) => (await answer).json()),
  );
  expect(answers).toEqual([true, false, false, false]);
  const head = await api.ask("/rest/v1/books", { method: "HEAD" });
  expect([head.status, head.headers.get("content-range")]).toEqual([200, "*/*"]);
});

test("Accounts get the request with its body, and the browser's address or none", async () => {
  const { sql, connections, close } = await openSql("prepared");
  const seen: [string, string, string][] = [];
  const own = await createApi({
    sql,
    connections,
    secrets: { jwtSecret: "a", publishableKey: "b", secretKey: "c" },
    log: () => {},
    siteUrl: "http://shop.example",
    files: new ObjectFiles(api.dataDir),
    accounts: async (request, clientIp) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/broken")) throw new TypeError("ama@example.com");
      seen.push([pathname, await request.text(), clientIp]);
      return Response.json(
        {},
        { headers: { "access-control-allow-origin": "*", "cache-control": "private" } },
      );
    },
  });
  onTestFinished(async () => {
    await own.close();
    await close();
  });
  const request = () => new Request("http://shop.example/auth/v1/signup", { method: "POST", body: "{}" });
  const answer = await own.handle(request(), "203.0.113.1");
  expect([answer.headers.get("access-control-allow-origin"), answer.headers.get("cache-control")]).toEqual([
    null,
    "private",
  ]);
  await own.handle(request(), null);
  expect(seen).toEqual([
    ["/auth/v1/signup", "{}", "203.0.113.1"],
    ["/auth/v1/signup", "{}", ""],
  ]);
  const broken = await own.handle(new Request("http://shop.example/auth/v1/broken"), null);
  expect(await read(broken)).toEqual([
    500,
    { code: 500, error_code: "PT500", msg: "Something went wrong on our side. Please try again." },
  ]);
  const metrics = own.metrics();
  expect(metrics.connections).toEqual({
    requests: { inUse: 0, most: 12 },
    shop: { inUse: 0, most: 6 },
  });
  expect(Object.keys(metrics.limits)).toEqual(["shop", "customer", "page", "visitor", "public file"]);
});

test("The storage has the shop's calls and no others", async () => {
  await api.ask(cover, { as: admin, body: jpegOf("x"), headers: { ...jpeg, "x-upsert": "true" } });
  const other = "/storage/v1/object/book-covers";
  for (const [method, path] of [
    ["POST", "/storage/v1/object/public/book-covers/a.jpg"],
    ["DELETE", "/storage/v1/object/public/book-covers/a.jpg"],
    ["GET", "/storage/v1/object/public/book-covers"],
    ["GET", "/storage/v1/object/list/book-covers"],
    ["POST", "/storage/v1/object/list/book-covers/a.jpg"],
    ["POST", "/storage/v1/object/authenticated/book-covers/a.jpg"],
    ["DELETE", "/storage/v1/object/authenticated/book-covers/a.jpg"],
    ["GET", other],
    ["POST", other],
    ["PUT", other],
    ["PATCH", cover],
    ["GET", "/storage/v1/bucket"],
  ] as const) {
    const answer = await api.ask(path, {
      method,
      as: admin,
      headers: jpeg,
      ...(method === "GET" ? {} : { body: "{}" }),
    });
    expect([method, path, ...(await read(answer))]).toEqual([method, path, 400, notFound]);
  }
  const bucket = { statusCode: "404", error: "Bucket not found", message: "Bucket not found" };
  expect(await read(await api.ask("/storage/v1/object/nowhere/a.jpg", { as: admin }))).toEqual([400, bucket]);
  const refused = await api.refuseUpload("/storage/v1/object/nowhere/a.jpg", admin);
  expect(refused && (await read(refused))).toEqual([400, bucket]);
  for (const path of [
    cover,
    "/storage/v1/object/authenticated/book-covers/a.jpg",
    "/storage/v1/object/public/book-covers/a.jpg",
  ])
    for (const method of ["GET", "HEAD"]) {
      const answer = await api.ask(path, { method, as: admin });
      expect([path, method, answer.status, contentOf(new Uint8Array(await answer.arrayBuffer()))]).toEqual([
        path,
        method,
        200,
        method === "GET" ? "x" : "",
      ]);
    }
  const missing = { statusCode: "404", error: "not_found", message: "Object not found" };
  expect(await read(await api.ask("/storage/v1/object/public/book-covers/none.jpg"))).toEqual([400, missing]);
  const [status, list] = await read(
    await api.ask("/storage/v1/object/list/book-covers", { as: admin, body: { prefix: "" } }),
  );
  expect([status, list]).toMatchObject([200, [{ name: "a.jpg" }]]);
  expect(await api.refuseUpload(cover, admin)).toBeNull();
  expect((await api.ask(cover, { method: "PUT", as: admin, body: jpegOf("y"), headers: jpeg })).status).toBe(
    200,
  );
  await rm(join(api.dataDir, "objects"), { recursive: true });
  expect(await read(await api.ask("/storage/v1/object/public/book-covers/a.jpg"))).toEqual([400, missing]);
  expect(await read(await api.ask(cover, { method: "DELETE", as: admin }))).toEqual([
    200,
    { message: "Successfully deleted" },
  ]);
  expect((await api.ask(cover, { as: admin })).status).toBe(400);
});

test("reads and refuses one client's 20 large bodies in 40 turns, however quickly they arrive", async () => {
  const { loop, iterate } = openLoop({ settle: settleAll, msEach: 2 });
  const turns = new LoopTurns(loop);
  const statuses: number[] = [];
  const body = { _text: "x".repeat(95_000) };
  for (let n = 0; n < 20; n += 1)
    turns.admit(
      "203.0.113.1",
      () => void api.ask("/rest/v1/rpc/nothing_here", { body }).then(({ status }) => statuses.push(status)),
      () => {},
    );
  for (let turn = 1; turn <= 40; turn += 1) {
    await iterate();
    // One turn to receive a body, one to parse it.
    expect(statuses.length).toBe(Math.floor(turn / 2));
  }
  expect(new Set(statuses)).toEqual(new Set([404]));
});

test("doesn't have the shop's own requests wait for the turns of the client that they are made for", async () => {
  const { loop, iterate } = openLoop({ settle: settleAll, msEach: 2 });
  const turns = new LoopTurns(loop);
  const response = Promise.withResolvers<Response>();
  turns.admit(
    "203.0.113.1",
    () => void api.ask("/rest/v1/rpc/nothing_here", { ip: null, body: {} }).then(response.resolve),
    () => {},
  );
  await iterate();
  expect((await response.promise).status).toBe(404);
});
