import { expect, test } from "vitest";
import { createBusyRetryingFetch } from "./retry-busy.ts";

const busy = () => new Response(null, { status: 503, headers: { "Retry-After": "2", "X-Not-Begun": "1" } });

/** A fetch that returns these responses in turn and records the bodies and pauses. */
function setUp(...responses: Response[]) {
  const sent: unknown[] = [];
  const pauses: number[] = [];
  const again = createBusyRetryingFetch(
    async (_input, init) => {
      sent.push(init?.body);
      return responses[sent.length - 1] ?? busy();
    },
    async (ms) => void pauses.push(ms),
  );
  return { again, sent, pauses };
}

test("retries a request that the shop was too busy to start, after a random delay", async () => {
  const { again, sent, pauses } = setUp(busy(), new Response("placed", { status: 201 }));
  const response = await again("/rest/v1/orders", { method: "POST", body: "an order" });
  expect([response.status, sent]).toEqual([201, ["an order", "an order"]]);
  expect(pauses).toEqual([expect.toSatisfy((ms: number) => ms >= 2_000 && ms < 4_000)]);
});

test("gives up after three attempts", async () => {
  const { again, sent } = setUp();
  expect((await again("/rest/v1/orders", { method: "POST", body: "" })).status).toBe(503);
  expect(sent).toHaveLength(3);
});

test.each([
  ["a refusal", "POST", new Response(null, { status: 409 })],
  ["a 503 after which the work may have been done", "POST", new Response(null, { status: 503 })],
  ["a read, which supabase-js repeats itself", "GET", busy()],
  ["a read without a stated method", undefined, busy()],
])("does not send %s again", async (_, method, response) => {
  const { again, sent } = setUp(response);
  expect(await again("/rest/v1/books", method ? { method } : undefined)).toBe(response);
  expect(sent).toHaveLength(1);
});

test("does not retry a request that has been aborted", async () => {
  const { again, sent } = setUp();
  const signal = AbortSignal.abort(new Error("left"));
  await expect(again("/rest/v1/orders", { method: "POST", signal })).rejects.toThrow("left");
  expect(sent).toHaveLength(1);
});
