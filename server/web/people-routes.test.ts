import { expect, test, vi } from "vitest";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { readSettings } from "../lib/settings.ts";
import { peopleRoutes } from "./people-routes.ts";

const staff = "11111111-1111-4111-8111-111111111111";
const person = "22222222-2222-4222-8222-222222222222";

/** A backend where `staff` is signed in; `preview` is what the dry run responds, `failure` what closing the account throws. */
function open({
  session = 200,
  preview = Response.json({ problem: null }),
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
      return Response.json(session === 200 ? { id: staff } : {}, { status: session });
    },
  };
  const routes = peopleRoutes(readSettings({}), backend);
  const forget = async (body: object = { user_id: person }) => {
    const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
    const headers = { authorization: "Bearer token", "content-type": "application/json" };
    const init = { method: "POST", body: JSON.stringify(body), headers };
    const response = await routes.fetch(new Request("http://localhost:3000/forget", init), bindings as never);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return { status: response.status, ...((await response.json()) as { message?: string; code?: string }) };
  };
  return { forget, closed, requests };
}

test("forgets a person for staff after the dry run, forgets a person for staff after a dry run with the caller's own token", async () => {
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
