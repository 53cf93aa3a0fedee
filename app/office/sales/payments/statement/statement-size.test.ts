import { expect, it } from "vitest";
import type { BackendClient } from "#app/lib/backend/client.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { fitsOneCall, MAX_CREDITS, recordStatement } from "./statement.admin-queries.ts";

const lines = (count: number, narration: string, reference = "") =>
  Array.from({ length: count }, (_, at) => ({
    line: at + 2,
    amount: 4_550 as Pesewas,
    day: "2026-11-23",
    reference: reference + String(51_234_567_890 + at),
    name: "",
    phone: "",
    narration,
  }));

it("accepts at most 1,000 lines at once, and fewer if their texts are very long", () => {
  expect(fitsOneCall(lines(MAX_CREDITS, "AMA MENSAH order 1023"))).toBe(true);
  expect(fitsOneCall(lines(MAX_CREDITS + 1, ""))).toBe(false);
  expect(fitsOneCall(lines(MAX_CREDITS, "ɔ".repeat(150)))).toBe(false);
  expect(fitsOneCall(lines(200, "x".repeat(5_000)))).toBe(true);
});

it("takes no more lines than can be recorded together, also with long transaction IDs", async () => {
  const sizes: number[] = [];
  const rpc = (_: string, body: unknown) => {
    sizes.push(new TextEncoder().encode(JSON.stringify(body)).length);
    return Promise.resolve({ data: 1, error: null, status: 200 });
  };
  const client = { rpc } as unknown as BackendClient;
  const statement = { id: crypto.randomUUID(), method: "bank_transfer" } as const;
  for (const reference of ["", "FT26331", "FT26331/KUMASI/ADUM/SCHOOLS/000"]) {
    let count = MAX_CREDITS;
    while (!fitsOneCall(lines(count, "", reference))) count -= 1;
    const paid = { orderId: crypto.randomUUID(), moreThanDue: false };
    await recordStatement(
      client,
      statement,
      lines(count, "", reference).map((line) => ({ ...line, ...paid })),
    );
  }
  expect(Math.max(...sizes)).toBeLessThan(128 * 1_024);
});
