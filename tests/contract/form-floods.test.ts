import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maxPerNetwork } from "#server/shop/form-floods.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi(`
    insert into public.events (slug, title, kind, place, starts_at, ends_at, places, state, published_at)
    values ('phonics', 'Phonics', 'training', 'Osu', now() + interval '7 days', now() + interval '8 days', 60, 'published', now())`);
});
afterAll(() => api?.close());

const register = (n: number, ip: string) =>
  api.ask("/rest/v1/rpc/register_for_event", {
    body: { _id: randomUUID(), _slug: "phonics", _name: `Teacher ${n}`, _email: `t${n}@school.example` },
    ip,
  });

test("a visitor registers without signing in; one network can register 100 people an hour, others still can", async () => {
  const [first] = (await (await register(0, "198.51.100.7")).json()) as object[];
  expect(first).toEqual({ state: "registered", waiting_before: null });
  const states: string[] = [];
  for (let n = 1; n < maxPerNetwork.register_for_event; n += 1) {
    const [row] = (await (await register(n, "198.51.100.7")).json()) as { state: string }[];
    states.push(row?.state ?? "");
  }
  expect(states.filter((state) => state === "registered")).toHaveLength(59);
  expect(states.filter((state) => state === "waiting")).toHaveLength(40);
  const refused = await register(1_000, "198.51.100.7");
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "PT429" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  expect((await register(1_001, "198.51.100.8")).status).toBe(200);
});

test("one network can subscribe 20 addresses an hour, with the same response for each", async () => {
  const subscribe = (email: string) =>
    api.ask("/rest/v1/rpc/subscribe_to_events", { body: { _email: email }, ip: "203.0.113.9" });
  const answers = new Set<string>();
  for (let n = 0; n < maxPerNetwork.subscribe_to_events; n += 1) {
    const response = await subscribe(`news${n % 2}@school.example`);
    answers.add(`${response.status} ${await response.text()}`);
  }
  expect([...answers]).toEqual(["204 "]);
  expect((await subscribe("late@school.example")).status).toBe(429);
});

test("one network can request 20 consultations an hour, others still can", async () => {
  const request = (n: number, ip: string) =>
    api.ask("/rest/v1/rpc/request_consultation", {
      body: { _id: randomUUID(), _name: "Ama", _about: "Phonics", _email: `c${n}@school.example` },
      ip,
    });
  const answers = new Set<number>();
  for (let n = 0; n < maxPerNetwork.request_consultation; n += 1)
    answers.add((await request(n, "198.51.100.10")).status);
  expect([...answers]).toEqual([204]);
  const refused = await request(1_000, "198.51.100.10");
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "PT429" }]);
  expect((await request(1_001, "198.51.100.11")).status).toBe(204);
});

test("visitors can't read registrations, subscribers, consultations or links", async () => {
  for (const table of [
    "event_registrations",
    "event_subscribers",
    "events",
    "consultations",
    "consultation_answers",
  ])
    expect([table, (await api.ask(`/rest/v1/${table}?select=*`, { ip: "198.51.100.9" })).status]).toEqual([
      table,
      401,
    ]);
  expect((await api.ask("/rest/v1/event_links?select=*", { ip: "198.51.100.9" })).status).toBe(404);
});
