import { expect, test, vi } from "vitest";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { readSettings } from "../lib/settings.ts";
import { eventRoutes } from "./event-routes.ts";

const token = "0123456789abcdef0123456789abcdef";
const event = {
  id: "0b5c1f1e-0000-4000-8000-00000000000a",
  slug: "phonics",
  title: "Phonics",
  description: null,
  is_online: true,
  place: "Zoom",
  starts_at: "2026-12-05T09:00:00+00:00",
  ends_at: "2026-12-05T12:30:00+00:00",
  state: "published",
  revision: 1,
  updated_at: "2026-11-20T08:05:06+00:00",
};

/** A backend with one event and one link; `broken` are functions that fail. */
function open(link: object | null = null, broken: string[] = []) {
  const calls: [name: string, args: object, ip: string | null | undefined][] = [];
  const backend: Backend = {
    kind: "embedded",
    notices: [],
    browserOrigin: null,
    publishableKey: "key",
    call: null,
    closeAccount: null,
    ready: async () => true,
    stop: async () => {},
    fetch: async (request, ip) => {
      const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
      const args = (await request.json()) as { _slug?: string; _token?: string };
      calls.push([name, args, ip]);
      if (broken.includes(name)) return Response.json({}, { status: 503 });
      if (name === "list_settings") return Response.json({ name: "Kente <Books>" });
      if (name === "find_event")
        return Response.json(["phonics", "links"].includes(args._slug ?? "") ? [event] : []);
      if (name === "find_event_link") return Response.json(link && args._token === token ? [link] : []);
      return Response.json(true);
    },
  };
  const routes = eventRoutes(readSettings({ SITE_URL: "https://shop.example" }), backend);
  const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
  const ask = async (path: string, init?: RequestInit) => {
    const response = await routes.fetch(new Request(`https://shop.example${path}`, init), bindings as never);
    return { response, text: await response.text() };
  };
  const called = () => calls.map(([name]) => name).filter((name) => name !== "list_settings");
  return { ask, calls, called };
}

test("An event has its calendar file at any address, also the one that links in emails begin with", async () => {
  for (const slug of ["phonics", "links"]) {
    const { response } = await open().ask(`/${slug}/event.ics`);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/calendar; charset=utf-8",
    ]);
  }
});

const registration = {
  kind: "registration",
  state: "registered",
  title: "Phonics",
  starts_at: event.starts_at,
};
const cancelPath = `/links/cancel?token=${token}`;

test("An event's calendar file is a download with a stable id", async () => {
  const { ask } = open();
  const { response, text } = await ask("/phonics/event.ics");
  expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="phonics.ics"');
  for (const line of [
    `UID:${event.id}@shop.example`,
    "DTSTAMP:20261120T080506Z",
    "LOCATION:Online: Zoom",
    "URL:https://shop.example/events/phonics",
  ])
    expect(text.split("\r\n")).toContain(line);
  expect((await ask("/unknown/event.ics")).response.status).toBe(404);
});

test("An address without an event is never an error, whatever bytes it has", async () => {
  const { ask, called } = open();
  for (const path of ["/%00/event.ics", "/%ff/event.ics", `/${"a".repeat(5_000)}/event.ics`])
    expect((await ask(path)).response.status, path).toBe(404);
  expect(called()).toEqual([]);
});

test("Opening a link to cancel only asks, however often; a click cancels, with the client's IP address", async () => {
  const { ask, called, calls } = open(registration);
  for (const method of ["GET", "GET", "HEAD"]) await ask(cancelPath, { method });
  const { response, text } = await ask(cancelPath);
  expect(called()).toEqual(Array(4).fill("find_event_link"));
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(text).toContain("Cancel your registration?");
  expect(text).toContain("Phonics, 5 Dec 2026, 09:00");
  expect(text).toContain("Kente &lt;Books&gt;");
  expect(text).toContain(`<form method="post" action="/links/cancel?token=${token}">`);
  const done = await ask(cancelPath, { method: "POST" });
  expect(done.text).toContain("Your registration is cancelled");
  expect(calls.at(-1)).toEqual(["cancel_event_registration", { _token: token }, "203.0.113.9"]);
});

test("A mail program's own button unsubscribes by one POST", async () => {
  const { ask, called } = open({ kind: "subscription", state: "confirmed", title: null, starts_at: null });
  const { response, text } = await ask(`/links/unsubscribe?token=${token}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect([response.status, called().at(-1)]).toEqual([200, "unsubscribe_from_events"]);
  expect(text).toContain("You have unsubscribed");
});

test.each([
  ["cancel", { ...registration, state: "over" }, "This event is over"],
  ["cancel", { ...registration, state: "cancelled" }, "Your registration is cancelled"],
  ["confirm", { kind: "subscription", state: "confirmed" }, "You're on our list"],
  ["confirm", { kind: "subscription", state: "ended" }, "You're not on our list"],
  ["unsubscribe", { kind: "subscription", state: "ended" }, "You're not on our list"],
])("A link to %s says that there is nothing left to do when it is %j", async (action, link, words) => {
  const { ask, called } = open(link);
  const { text } = await ask(`/links/${action}?token=${token}`, { method: "POST" });
  expect(text.replaceAll("&#39;", "'")).toContain(words);
  expect(text).not.toContain("<form");
  expect(called()).toEqual(["find_event_link"]);
});

test.each([
  [`/links/confirm?token=${token}`],
  [`/links/cancel?token=${token.replace("0", "1")}`],
  [`/links/constructor?token=${token}`],
])("A registration's link doesn't work as %s, and changes nothing", async (path) => {
  const { ask, called } = open(registration);
  const { response, text } = await ask(path, { method: "POST" });
  expect(response.status).toBe(404);
  expect(text.replaceAll("&#39;", "'")).toContain("This link doesn't work");
  expect(called()).toEqual(["find_event_link"]);
});

test.each([
  ["/links/cancel"],
  ["/links/cancel?token=%00"],
  ["/links/cancel?token=%ff"],
  [`/links/cancel?token=${token}%00`],
  [`/links/cancel?token=${token.slice(1)}`],
  [`/links/cancel?token=${"0".repeat(64)}`],
])("An invalid token doesn't reach the database: %s", async (path) => {
  const { ask, called } = open(registration, ["find_event_link"]);
  const { response, text } = await ask(path);
  expect(response.status).toBe(404);
  expect(text.replaceAll("&#39;", "'")).toContain("This link doesn't work");
  expect(called()).toEqual([]);
});

test.each([["list_settings"], ["find_event_link"], ["cancel_event_registration"]])(
  "When %s fails, the page says so with 503, and the log has neither token nor name",
  async (name) => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
    const { ask } = open(registration, [name]);
    const { response, text } = await ask(cancelPath, { method: "POST" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(text).toContain("Something went wrong on our side");
    expect(JSON.stringify(warn.mock.calls)).not.toMatch(/0123456789|Phonics/);
    warn.mockRestore();
  },
);
