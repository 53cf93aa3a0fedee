import { expect, test } from "vitest";
import { callOver } from "./call-database.ts";
import { Refusal } from "./refusal.ts";

const answering = (body: string | null, status: number) =>
  callOver(async () => new Response(body, { status }));

test("A function is called by its name with its arguments, and what it returns is read", async () => {
  const sent: string[][] = [];
  const call = callOver(async (...request) => {
    sent.push(request);
    return new Response('{"state":"settled"}');
  });
  expect(await call("find_payment", { _reference: "1042-a" })).toEqual({ state: "settled" });
  expect(sent).toEqual([["/rest/v1/rpc/find_payment", '{"_reference":"1042-a"}']]);
  expect(await answering(null, 204)("note_checkout", {})).toBeNull();
});

const deleted = { code: "PT404", message: "This order is gone.", details: '{"code":"order_gone"}' };

test.each([
  ["of the shop's own", JSON.stringify(deleted), "order_gone", deleted.message],
  ["without a code", JSON.stringify({ ...deleted, details: "{}" }), "404", deleted.message],
  ["without details", JSON.stringify({ ...deleted, details: null }), "404", deleted.message],
  ["of a proxy", "<h1>Not found</h1>", "404", "The database refused."],
])("A refusal %s keeps its status, and has a code and a message", async (_, body, code, message) => {
  const refusal = await answering(body, 404)("open_payment", {}).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ name: "Refusal", status: 404, code, message });
});
