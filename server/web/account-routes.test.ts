import { expect, test, vi } from "vitest";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { readSettings } from "../lib/settings.ts";
import { accountRoutes } from "./account-routes.ts";

const person = { id: "11111111-1111-4111-8111-111111111111", email: "ama@example.com" };

/** A backend with one account; `failure` is what closing it throws. */
function open({
  session = 200,
  signIn = Response.json({ access_token: "another" }),
  failure = null as Error | null,
  hasKey = true,
  step = Response.json(null),
} = {}) {
  const closed: string[] = [];
  const requests: { url: string; ip: string | null | undefined; body: unknown; headers: unknown }[] = [];
  const backend: Backend = {
    kind: "hosted",
    notices: [],
    browserOrigin: null,
    publishableKey: "key",
    call: null,
    ready: async () => true,
    stop: async () => {},
    closeAccount: hasKey
      ? async (id) => {
          if (failure) throw failure;
          closed.push(id);
        }
      : null,
    fetch: async (request, ip) => {
      const { pathname, search } = new URL(request.url);
      const body = request.body && (await request.json());
      requests.push({ url: pathname + search, ip, body, headers: Object.fromEntries(request.headers) });
      if (pathname.endsWith("/token")) return signIn;
      if (pathname.endsWith("/own_second_step")) return step;
      return Response.json(session === 200 ? person : {}, { status: session });
    },
  };
  const routes = accountRoutes(readSettings({}), backend);
  const close = async (body: string) => {
    const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
    const headers = { authorization: "Bearer token", "content-type": "application/json" };
    const request = new Request("http://localhost:3000/close", { method: "POST", body, headers });
    const response = await routes.fetch(request, bindings as never);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return { status: response.status, ...((await response.json()) as { message?: string }) };
  };
  return { close, closed, requests };
}

const failed = "We couldn't close your account. Please try again in a moment.";
const withPassword = JSON.stringify({ password: "slate & chalk" });

test("An account is closed with its password, which is checked as at sign-in, from the sender's address", async () => {
  const { close, closed, requests } = open();
  expect(await close(withPassword)).toEqual({ status: 200 });
  expect(closed).toEqual([person.id]);
  const headers = { apikey: "key", "content-type": "application/json" };
  expect(requests).toEqual([
    {
      url: "/auth/v1/user",
      ip: "203.0.113.9",
      body: null,
      headers: { ...headers, authorization: "Bearer token" },
    },
    {
      url: "/rest/v1/rpc/own_second_step",
      ip: "203.0.113.9",
      body: {},
      headers: { ...headers, authorization: "Bearer token" },
    },
    {
      url: "/auth/v1/token?grant_type=password",
      ip: "203.0.113.9",
      body: { email: person.email, password: "slate & chalk" },
      headers,
    },
  ]);
});

for (const body of ["", "null", "{", "[]", '"text"', "{}", '{"password": ""}', '{"password": ["a"]}'])
  test(`A request with ${body || "nothing"} is refused because the password is missing`, async () => {
    const { close, closed, requests } = open();
    expect(await close(body)).toMatchObject({ status: 400, message: "Please enter your password." });
    expect([closed, requests]).toEqual([[], []]);
  });

test("A wrong password does not close the account, and too many attempts are refused with the accounts' own message", async () => {
  const wrong = open({ signIn: Response.json({ msg: "Invalid login credentials" }, { status: 400 }) });
  expect(await wrong.close(withPassword)).toMatchObject({
    status: 400,
    message: "The password is incorrect.",
  });
  const often = open({ signIn: Response.json({ msg: "Wait a minute." }, { status: 429 }) });
  expect(await often.close(withPassword)).toMatchObject({ status: 429, message: "Wait a minute." });
  expect([wrong.closed, often.closed]).toEqual([[], []]);
});

test("The password alone doesn't close an account with a second step; whether it has one must be known", async () => {
  const thief = open({ step: Response.json("code") });
  expect(await thief.close(withPassword)).toMatchObject({
    status: 403,
    message: "Sign in again with a code from your app first.",
  });
  expect([thief.closed, thief.requests.map(({ url }) => url)]).toEqual([
    [],
    ["/auth/v1/user", "/rest/v1/rpc/own_second_step"],
  ]);
  const unknown = open({ step: Response.json({}, { status: 503 }) });
  expect(await unknown.close(withPassword)).toMatchObject({ status: 503, message: failed });
  expect(unknown.closed).toEqual([]);
  // The shop requires an app, and this person has none; they can still close their account.
  const without = open({ step: Response.json("factor") });
  expect(await without.close(withPassword)).toEqual({ status: 200 });
});

test("Asks a customer with an expired session to sign in; if it cannot be looked up, to try again", async () => {
  const [ended, unknown] = [
    { status: 401, message: "Please sign in again.", details: '{"code":"refused"}' },
    { status: 503, message: failed, details: '{"code":"unavailable"}' },
  ];
  for (const [session, answer] of [[401, ended] as const, [403, ended] as const, [500, unknown] as const]) {
    const { close, closed } = open({ session });
    expect(await close(withPassword)).toMatchObject(answer);
    expect(closed).toEqual([]);
  }
});

test("The database's refusal reaches the customer; any other failure is logged without its message", async () => {
  const refused = open({
    failure: new Refusal(409, "order_not_delivered", "Order 7 is on its way."),
  });
  expect(await refused.close(withPassword)).toEqual({
    status: 409,
    code: "PT409",
    message: "Order 7 is on its way.",
    details: '{"code":"order_not_delivered"}',
  });
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  for (const failure of [
    new Error("ama@example.com is unknown"),
    Object.assign(new Error("ama@example.com is unknown"), { status: 409 }),
    new Refusal(500, "XX000", "ama@example.com is unknown"),
  ])
    expect(await open({ failure }).close(withPassword)).toEqual({
      status: 503,
      code: "PT503",
      message: failed,
      details: '{"code":"unavailable"}',
    });
  expect(warn.mock.calls).toEqual(
    ["Error", "Error", "Refusal"].map((error) => ["closing an account failed", { error }]),
  );
  warn.mockRestore();
});

test("Asks the customer to write to the shop where a hosted project has no secret key", async () => {
  const { close, requests } = open({ hasKey: false });
  expect(await close(withPassword)).toMatchObject({
    status: 409,
    message: "Please write to us and we'll close your account for you.",
  });
  expect(requests).toEqual([]);
});
