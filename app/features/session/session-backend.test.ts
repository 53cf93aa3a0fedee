import { expect, test, vi } from "vitest";
import { createRepairingFetch } from "./session-backend.ts";

const url = "https://shop.example/rest/v1/cart_items";
const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}`, apikey: "key" } });

/** A server that accepts a single token. */
function setUp(valid: string, renewed: string | "unknown" | null) {
  const sent: string[] = [];
  const send = vi.fn<typeof fetch>(async (_input, init) => {
    const token = new Headers(init?.headers).get("Authorization")?.slice(7) ?? "";
    sent.push(token);
    return new Response(null, { status: token === valid ? 200 : 401 });
  });
  const repair = { renew: vi.fn(async () => renewed), end: vi.fn(async () => {}) };
  return { fetch: createRepairingFetch("key", repair, send), repair, sent };
}

test("A refused token is renewed and the request retried", async () => {
  const { fetch, repair, sent } = setUp("new", "new");
  expect((await fetch(url, withToken("old"))).status).toBe(200);
  expect(sent).toEqual(["old", "new"]);
  expect(repair.end).not.toHaveBeenCalled();
});

test("Requests that are refused together share one renewal, and the session ends once", async () => {
  const { fetch, repair } = setUp("new", null);
  const responses = await Promise.all([1, 2, 3].map(() => fetch(url, withToken("old"))));
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect((await fetch(url, withToken("old"))).status).toBe(401);
  expect(repair.renew).toHaveBeenCalledTimes(1);
  expect(repair.end).toHaveBeenCalledTimes(1);
});

test("Without a response to the renewal the session stays, and the next request retries it", async () => {
  const { fetch, repair } = setUp("new", "unknown");
  for (const _ of [1, 2]) expect((await fetch(url, withToken("old"))).status).toBe(401);
  expect(repair.renew).toHaveBeenCalledTimes(2);
  expect(repair.end).not.toHaveBeenCalled();
});

test("A refused visitor and a refused sign-in are passed through", async () => {
  const { fetch, repair } = setUp("new", "new");
  expect((await fetch(url, withToken("key"))).status).toBe(401);
  expect((await fetch("https://shop.example/auth/v1/user", withToken("old"))).status).toBe(401);
  expect(repair.renew).not.toHaveBeenCalled();
});

test("A response that was not refused is passed on, and the request is made once", async () => {
  const { fetch, repair, sent } = setUp("good", "new");
  expect((await fetch(url, withToken("good"))).status).toBe(200);
  expect(sent).toEqual(["good"]);
  expect(repair.renew).not.toHaveBeenCalled();
});

test("A session that has ended, or that cannot be renewed now, is not tried again", async () => {
  for (const renewed of [null, "unknown", "old"] as const) {
    const { fetch, sent } = setUp("new", renewed);
    expect((await fetch(url, withToken("old"))).status).toBe(401);
    expect(sent).toEqual(["old"]);
  }
});

test("A retry is the same request except for its token", async () => {
  const sent: RequestInit[] = [];
  const send: typeof fetch = async (_input, init = {}) => {
    sent.push(init);
    return new Response(null, { status: sent.length === 1 ? 401 : 200 });
  };
  const fetch = createRepairingFetch("key", { renew: async () => "new", end: async () => {} }, send);
  await fetch(url, { method: "POST", body: "a", ...withToken("old") });
  expect(sent[1]).toMatchObject({ method: "POST", body: "a" });
  const headers = new Headers(sent[1]?.headers);
  expect([headers.get("authorization"), headers.get("apikey")]).toEqual(["Bearer new", "key"]);
});

test("A refused request without a token is passed through, given as an address or a request", async () => {
  const { fetch, repair } = setUp("new", "new");
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url, {})).status).toBe(401);
  expect((await fetch(new Request("https://shop.example/auth/v1/user"), withToken("old"))).status).toBe(401);
  expect(repair.renew).not.toHaveBeenCalled();
});

test("The browser's own fetch is used unless another is given", async () => {
  const own = vi.fn<typeof fetch>(async () => new Response("answer"));
  vi.stubGlobal("fetch", own);
  const fetch = createRepairingFetch("key", { renew: async () => null, end: async () => {} });
  const init = withToken("good");
  expect(await (await fetch(url, init)).text()).toBe("answer");
  expect(own.mock.calls).toEqual([[url, init]]);
  vi.unstubAllGlobals();
});

test("Leaves out when a session ends by the server's clock, so that a device whose clock is ahead keeps it", async () => {
  const session = { access_token: "a", refresh_token: "r", expires_in: 3600, expires_at: 1_700_000_000 };
  const answer = async (body: unknown, status = 200) => {
    const repair = { renew: vi.fn(), end: vi.fn() };
    const fetch = createRepairingFetch("key", repair, async () => Response.json(body, { status }));
    const response = await fetch("https://shop.example/auth/v1/token?grant_type=password");
    return [response.status, response.headers.get("Content-Type"), await response.json()];
  };
  const { expires_at, ...rest } = session;
  expect(await answer(session)).toEqual([200, "application/json", rest]);
  // A challenge of the second step ends by the server's clock.
  expect(await answer({ id: "c", expires_at })).toEqual([200, "application/json", { id: "c", expires_at }]);
  expect(await answer({ msg: "Wait a minute." }, 429)).toEqual([
    429,
    "application/json",
    { msg: "Wait a minute." },
  ]);
});
