import { expect, test, vi } from "vitest";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { readSettings } from "../lib/settings.ts";
import { peopleRoutes } from "./people-routes.ts";

const staff = "11111111-1111-4111-8111-111111111111";
const person = "22222222-2222-4222-8222-222222222222";
const other = "33333333-3333-4333-8333-333333333333";

/** A backend where `staff` is signed in; `preview` and `merged` are what the database responds, `failure` what closing the account throws. */
function open({
  session = 200,
  preview = Response.json({ problem: null }),
  merged = Response.json({ problem: null, orders: 2 }),
  failure = null as Error | null,
  hasKey = true,
} = {}) {
  const closed: unknown[] = [];
  const requests: unknown[] = [];
  const backend: Backend = {
    kind: "hosted",
    notices: [],
    browserOrigin: null,
    publishableKey: "key",
    call: null,
    ready: async () => true,
    stop: async () => {},
    closeAccount: hasKey
      ? async (...ids) => {
          if (failure) throw failure;
          closed.push(ids);
        }
      : null,
    fetch: async (request, ip) => {
      const { pathname } = new URL(request.url);
      const body = request.body && (await request.json());
      requests.push({ pathname, body, ip, by: request.headers.get("authorization") });
      if (pathname.endsWith("/preview_anonymising")) return preview;
      if (pathname.endsWith("/merge_people")) return merged;
      return Response.json(session === 200 ? { id: staff } : {}, { status: session });
    },
  };
  const routes = peopleRoutes(readSettings({}), backend);
  const post = async (path: string, body: object) => {
    const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
    const headers = { authorization: "Bearer token", "content-type": "application/json" };
    const init = { method: "POST", body: JSON.stringify(body), headers };
    const response = await routes.fetch(
      new Request(`http://localhost:3000/${path}`, init),
      bindings as never,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    return { status: response.status, ...((await response.json()) as { message?: string; code?: string }) };
  };
  const forget = (body: object = { user_id: person }) => post("forget", body);
  const merge = (body: object = { from_id: person, into_id: other }) => post("merge", body);
  return { forget, merge, closed, requests };
}

test("forgets a person for staff after a dry run with the caller's own token", async () => {
  const { forget, closed, requests } = open();
  expect(await forget()).toEqual({ status: 200 });
  expect(closed).toEqual([[person, staff]]);
  const by = "Bearer token";
  expect(requests).toEqual([
    { pathname: "/auth/v1/user", body: null, ip: "203.0.113.9", by },
    { pathname: "/rest/v1/rpc/preview_anonymising", body: { _user_id: person }, ip: "203.0.113.9", by },
  ]);
});

test("forgets nobody without a session, without the duties, or while something is not settled", async () => {
  const missing = { message: "You don't have the duty People.", details: '{"code": "duty_missing"}' };
  const cases = [
    [{ session: 401 }, { status: 401, message: "Please sign in again." }],
    [{ session: 500 }, { status: 503 }],
    [{ preview: Response.json(missing, { status: 403 }) }, { status: 403, message: missing.message }],
    [{ preview: new Response("", { status: 502 }) }, { status: 503 }],
    [
      { preview: Response.json({ problem: "Order 7 has not been delivered yet." }) },
      { status: 409, message: "Order 7 has not been delivered yet." },
    ],
    [{ hasKey: false }, { status: 409 }],
  ] as const;
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  for (const [backend, response] of cases) {
    const { forget, closed } = open(backend);
    expect(await forget()).toMatchObject(response);
    expect(closed).toEqual([]);
  }
  warn.mockRestore();
});

test("refuses a body that names no account", async () => {
  const { forget, requests } = open();
  for (const body of [{}, { user_id: "me" }, { user_id: 7 }])
    expect(await forget(body)).toMatchObject({ status: 400 });
  expect(requests).toEqual([]);
});

test("passes the database's refusal on, and says nothing of the provider's failure", async () => {
  const refusal = new Refusal(409, "is_admin", "This person is an admin. Take the role away first.");
  expect(await open({ failure: refusal }).forget()).toMatchObject({
    status: 409,
    message: refusal.message,
  });
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const response = await open({ failure: new Error("ama@example.com is unknown") }).forget();
  expect(response).toMatchObject({ status: 503 });
  expect(JSON.stringify([response, warn.mock.calls])).not.toContain("ama@");
  warn.mockRestore();
});

test("merges two accounts with the caller's own token, then closes the one that was merged", async () => {
  const { merge, closed, requests } = open();
  expect(await merge()).toEqual({ status: 200 });
  expect(closed).toEqual([[person, staff]]);
  const by = "Bearer token";
  const body = { _from: person, _into: other, _dry_run: false };
  expect(requests).toEqual([
    { pathname: "/auth/v1/user", body: null, ip: "203.0.113.9", by },
    { pathname: "/rest/v1/rpc/merge_people", body, ip: "203.0.113.9", by },
  ]);
});

test("closes no account when the merge is refused or fails, or cannot be closed, and moves nothing without the secret key", async () => {
  const refused = { message: "This is the same account.", details: '{"code": "same_account"}' };
  const cases = [
    [{ session: 401 }, { status: 401 }],
    [{ merged: Response.json(refused, { status: 409 }) }, { status: 409, message: refused.message }],
    [{ merged: new Response("", { status: 502 }) }, { status: 503 }],
    [{ hasKey: false }, { status: 409 }],
  ] as const;
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  for (const [backend, response] of cases) {
    const { merge, closed, requests } = open(backend);
    expect(await merge()).toMatchObject(response);
    expect(closed).toEqual([]);
    if ("hasKey" in backend) expect(requests).toEqual([]);
  }
  for (const body of [{}, { from_id: person }, { from_id: person, into_id: "them" }])
    expect(await open().merge(body)).toMatchObject({ status: 400 });
  const placedMeanwhile = new Refusal(409, "order_not_delivered", "Order 7 has not been delivered yet.");
  for (const failure of [new Error("ama@example.com is unknown"), placedMeanwhile]) {
    const unfinished = await open({ failure }).merge();
    expect(unfinished).toMatchObject({ status: 503, message: expect.stringContaining("merge them again") });
    expect(JSON.stringify([unfinished, warn.mock.calls])).not.toContain("ama@");
  }
  warn.mockRestore();
});
