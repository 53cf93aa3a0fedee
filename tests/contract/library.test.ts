import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { expect, it } from "vitest";

/* Figures that the specification states and the client library holds: an upgrade that changes one fails here. */

const client = () => createClient("http://shop.example", "sb_publishable_none");

it("The session is refreshed by a tick of 30 s, three ticks before it expires", () => {
  const required = createRequire(import.meta.resolve("@supabase/supabase-js"));
  const timings = required(join(dirname(required.resolve("@supabase/auth-js")), "lib/constants.js"));
  expect(timings.AUTO_REFRESH_TICK_DURATION_MS).toBe(30_000);
  expect(timings.AUTO_REFRESH_TICK_THRESHOLD).toBe(3);
});

it("The realtime connection's heartbeat is sent every 25 s and times out after 10 s", () => {
  const { realtime } = client();
  expect(realtime.heartbeatIntervalMs).toBe(25_000);
  expect(realtime.timeout).toBe(10_000);
});

it("A storage listing requests 100 files by default", async () => {
  const requests: unknown[] = [];
  const listing = createClient("http://shop.example", "sb_publishable_none", {
    global: {
      fetch: async (_input, init) => {
        requests.push(JSON.parse(String(init?.body)));
        return Response.json([]);
      },
    },
  });
  await listing.storage.from("book-covers").list();
  expect(requests).toEqual([expect.objectContaining({ limit: 100, offset: 0 })]);
});
