import { expect, test } from "vitest";
import type { Backend } from "../api/backend.ts";
import { readSettings } from "../lib/settings.ts";
import { createSite } from "../web/site.ts";
import { paysOnline, startPayments } from "./payments.ts";

const backend = (call: Backend["call"]): Backend => ({
  kind: "hosted",
  notices: [],
  browserOrigin: null,
  publishableKey: "key",
  call,
  closeAccount: null,
  ready: async () => true,
  stop: async () => {},
  fetch: async () => new Response(null, { status: 404 }),
});
const withKey = readSettings({ PAYSTACK_SECRET_KEY: "sk_test_0123456789" });
const nothingDue = backend(async () => null);

test("Without Paystack's key customers can't pay online, and nothing is logged about it", async () => {
  const settings = readSettings({});
  const { routes, notices } = startPayments(settings, nothingDue);
  expect([routes, notices, paysOnline(settings, nothingDue)]).toEqual([null, [], false]);
  const pages = async () => new Response("a page", { status: 404 });
  const site = createSite({ settings, backend: nothingDue, pages, payments: routes });
  for (const path of ["/payments/return?reference=1", "/payments/paystack"]) {
    const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
    const response = await site.fetch(new Request(`http://localhost:3000${path}`), bindings as never);
    expect(await response.text()).toBe("a page");
  }
});

test("On a hosted project without its secret key, one line reports that online payments are off", () => {
  const { routes, notices } = startPayments(withKey, backend(null));
  expect([routes, paysOnline(withKey, backend(null))]).toEqual([null, false]);
  expect(notices).toEqual([
    "Online payments are off: set SUPABASE_SECRET_KEY beside PAYSTACK_SECRET_KEY to turn them on.",
  ]);
});

test("With both keys customers can pay online", async () => {
  const { routes, notices, stop } = startPayments(withKey, nothingDue);
  expect([routes === null, notices, paysOnline(withKey, nothingDue)]).toEqual([false, [], true]);
  await stop();
});

test("finds the handlers of a request with one regular expression, also with the routes of payments", async () => {
  const { routes, stop } = startPayments(withKey, nothingDue);
  const pages = async () => new Response("a page");
  const embedded: Backend = { ...nothingDue, kind: "embedded", findCover: async () => null };
  const site = createSite({ settings: withKey, backend: embedded, pages, payments: routes });
  await site.fetch(new Request("http://localhost:3000/"), { incoming: { headers: {}, socket: {} } } as never);
  // Two routes that can't be told apart by it, such as "/links/:action" beside "/:slug/event.ics", would make all requests slower.
  expect(site.router.name).toBe("SmartRouter + RegExpRouter");
  await stop();
});
