import { Readable } from "node:stream";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { readSettings } from "../lib/settings.ts";
import { paymentRoutes } from "./payment-routes.ts";
import { EarlierPaymentUnknown, type PaymentService } from "./payment-service.ts";
import type { Message, PaymentProvider } from "./provider.ts";

/* What the routes answer. What becomes of the money: tests/contract/payments/. */

const orderId = "0b5c1f1e-0000-4000-8000-00000000000a";
const lost = Object.assign(new Error("of ama@school.example"), { code: "ECONNREFUSED" });

let lines: unknown[];
beforeEach(() => {
  lines = [];
  const spy = vi.spyOn(log, "warn").mockImplementation((...line) => void lines.push(line));
  onTestFinished(() => spy.mockRestore());
});

type World = {
  paymentService?: Partial<PaymentService>;
  orders?: Response;
  message?: Message | undefined | Error;
};

/** The routes over a backend, a payment service and a provider of which only this is known. */
function open({ paymentService = {}, orders = Response.json([{ id: orderId }]), message }: World) {
  const requested: unknown[] = [];
  const fetch: Backend["fetch"] = async (request, clientIp) => {
    const { pathname, search } = new URL(request.url);
    requested.push([pathname + search, Object.fromEntries(request.headers), clientIp]);
    return orders;
  };
  const readWebhook: PaymentProvider["readWebhook"] = (body, signature) => {
    requested.push([body.length, signature]);
    if (message instanceof Error) throw message;
    return message;
  };
  const routes = paymentRoutes({
    settings: readSettings({}),
    backend: { fetch, publishableKey: "key" } as Backend,
    provider: { readWebhook } as PaymentProvider,
    paymentService: paymentService as PaymentService,
  });
  const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await routes.request(path, init, bindings as never);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return response;
  };
  return { requested, ask };
}

test("Pay now tells the browser that nothing was started when the shop was too busy", async () => {
  const headers = { "retry-after": "2", "x-not-begun": "1" };
  const { ask } = open({ orders: new Response(null, { status: 503, headers }) });
  const response = await ask(`/orders/${orderId}`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
  });
  expect([response.status, ...Object.keys(headers).map((name) => response.headers.get(name))]).toEqual([
    ...[503, "2", "1"],
  ]);
});

describe("Pay now", () => {
  const click = async (world: World, headers: HeadersInit = { authorization: "Bearer x" }) => {
    const { ask, requested } = open(world);
    const response = await ask(`/orders/${orderId}`, { method: "POST", headers });
    return { status: response.status, body: await response.json(), requested };
  };
  const refusal = (status: number, message: string, code = "refused") => ({
    status,
    body: { code: `PT${status}`, message, details: JSON.stringify({ code }) },
  });

  test("checks in the database, as the customer, whether the order is theirs", async () => {
    const { status, body, requested } = await click({
      paymentService: { open: async (id) => ({ address: `https://${id}/` }) },
    });
    expect([status, body]).toEqual([200, { address: `https://${orderId}/` }]);
    expect(requested).toEqual([
      [
        `/rest/v1/orders?id=eq.${orderId}&select=id`,
        { apikey: "key", authorization: "Bearer x" },
        "203.0.113.9",
      ],
    ]);
  });

  test("explains what is wrong with the session or the order", async () => {
    const signIn = refusal(401, "Please sign in again.");
    expect(await click({}, {})).toEqual({ ...signIn, requested: [] });
    expect(await click({ orders: new Response(null, { status: 401 }) })).toMatchObject(signIn);
    const gone = refusal(404, "This order no longer exists.");
    expect(await click({ orders: Response.json([]) })).toMatchObject(gone);
    const busy = new Response(null, { status: 503 });
    expect(await click({ orders: busy })).toMatchObject(refusal(503, "Please try again in a moment."));
  });

  test("passes on the database's reason for refusing it", async () => {
    const cancelled = new Refusal(409, "order_cancelled", "This order is cancelled.");
    const { requested: _, ...refused } = await click({
      paymentService: { open: () => Promise.reject(cancelled) },
    });
    expect(refused).toEqual(refusal(409, "This order is cancelled.", "order_cancelled"));
    expect(lines).toEqual([]);
  });

  test.each([
    [lost, "ECONNREFUSED"],
    [{ ...lost, status: 409 }, "ECONNREFUSED"],
    [new Refusal(500, "XX000", "of ama@school.example"), "XX000"],
    [new RangeError("of ama@school.example"), "RangeError"],
    [{}, "unknown"],
  ])("that fails (%#) charges nobody, and is logged without the error's message", async (error, code) => {
    const { requested: _, ...failed } = await click({
      paymentService: { open: () => Promise.reject(error) },
    });
    const words =
      "Online payment isn't available at the moment. You haven't been charged. Please try again later.";
    expect(failed).toEqual(refusal(502, words, "unavailable"));
    expect(lines).toEqual([["opening a payment failed", { error: code }]]);
  });
});

test("Pay now asks not to pay again while an earlier payment is in doubt", async () => {
  const { ask } = open({ paymentService: { open: () => Promise.reject(new EarlierPaymentUnknown(lost)) } });
  const response = await ask(`/orders/${orderId}`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
  });
  expect(response.status).toBe(502);
  expect(await response.text()).toContain("If you have paid, please don't pay again.");
  expect(lines).toEqual([["opening a payment failed", { error: "ECONNREFUSED" }]]);
});

describe("Coming back", () => {
  const comeBack = async (query: string, paymentService: Partial<PaymentService>) => {
    const response = await open({ paymentService }).ask(`/return${query}`);
    return [response.status, response.headers.get("location")];
  };
  const found = { state: "open", order_id: orderId };

  test.each([
    ["?reference=a&trxref=b", "a"],
    ["?trxref=b", "b"],
    [`?reference=${"x".repeat(100)}`, "x".repeat(100)],
  ])("with %s looks for the payment %j", async (query, reference) => {
    const find = vi.fn(async () => null);
    expect(await comeBack(query, { find })).toEqual([303, "/orders"]);
    expect(find).toHaveBeenCalledExactlyOnceWith(reference);
  });

  test.each(["", "?reference=", "?reference=a%20b", "?reference=%00", `?reference=${"x".repeat(101)}`])(
    "with the malformed reference %s looks nothing up",
    async (query) => {
      const find = vi.fn(async () => null);
      expect(await comeBack(query, { find })).toEqual([303, "/orders"]);
      expect(find).not.toHaveBeenCalled();
    },
  );

  test("leads to the order, even when the payment's outcome is unknown", async () => {
    const fails = () => Promise.reject(lost);
    const order = [303, `/order-confirmation/${orderId}`];
    expect(await comeBack("?reference=a", { find: async () => found, settle: fails })).toEqual(order);
    expect(await comeBack("?reference=a", { find: fails })).toEqual([303, "/orders"]);
    const line = ["asking about a payment failed", { error: "ECONNREFUSED" }];
    expect(lines).toEqual([line, line]);
    const made = { ...found, state: "settled" };
    expect(await comeBack("?reference=a", { find: async () => made })).toEqual(order);
    const deleted = { ...made, order_id: null };
    expect(await comeBack("?reference=a", { find: async () => deleted })).toEqual([303, "/orders"]);
  });
});

test("Coming back while Paystack is silent leads to the order after five seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], fakeNodeBuiltins: true });
  onTestFinished(() => void vi.useRealTimers());
  const paymentService = {
    find: async () => ({ state: "open", order_id: orderId }),
    settle: () => new Promise<never>(() => {}),
  };
  const answer = open({ paymentService }).ask("/return?reference=a");
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await Promise.race([answer, "none yet"])).toBe("none yet");
  await vi.advanceTimersByTimeAsync(1);
  expect((await answer).headers.get("location")).toBe(`/order-confirmation/${orderId}`);
});

describe("A webhook of Paystack's", () => {
  const send = async (world: World, headers: HeadersInit = { "x-paystack-signature": "s" }) => {
    const settled: unknown[] = [];
    const paymentService: Partial<PaymentService> = {
      find: async () => null,
      settle: async (reference) => {
        settled.push(["payment", reference]);
        return null;
      },
      settleRefunds: async (reference) => void settled.push(["refund", reference]),
    };
    const { ask, requested } = open({ paymentService, ...world });
    const response = await ask("/paystack", { method: "POST", headers, body: "a body" });
    return { status: response.status, settled, requested };
  };

  test.each<[Message, unknown[]]>([
    [{ kind: "payment", reference: "a" }, [["payment", "a"]]],
    [{ kind: "refund", reference: "b" }, [["refund", "b"]]],
    [null, []],
  ])("about %j settles %j", async (message, settled) => {
    expect(await send({ message })).toEqual({ status: 200, settled, requested: [[6, "s"]] });
  });

  test.each(["settled", "needs_decision"])(
    "about a payment that is already %s sends no request",
    async (state) => {
      const settle = vi.fn();
      const paymentService = { find: async () => ({ state, order_id: orderId }), settle };
      expect((await send({ paymentService, message: { kind: "payment", reference: "a" } })).status).toBe(200);
      expect(settle).not.toHaveBeenCalled();
    },
  );

  test("that Paystack did not sign, or that cannot be read, is refused", async () => {
    expect(await send({ message: undefined }, {})).toEqual({
      status: 401,
      settled: [],
      requested: [[6, ""]],
    });
    expect((await send({ message: new SyntaxError("Unexpected token") })).status).toBe(400);
    expect(lines).toEqual([]);
  });

  test("is read up to 64 KB and refused above it, whether or not it states its length", async () => {
    const bodyOf = (bytes: number, streamed: boolean): RequestInit => {
      const text = "x".repeat(bytes);
      if (!streamed) return { body: text, headers: { "content-length": String(bytes) } };
      // In chunks, so that the limit is exceeded in the middle of the stream.
      const pieces = text.match(/.{1,10000}/g) ?? [];
      return {
        body: Readable.toWeb(Readable.from(pieces.map((piece) => Buffer.from(piece)))) as ReadableStream,
        duplex: "half",
      } as RequestInit;
    };
    for (const streamed of [false, true]) {
      const { ask, requested } = open({ message: null });
      const largest = await ask("/paystack", { method: "POST", ...bodyOf(64 * 1024, streamed) });
      expect(largest.status, String(streamed)).toBe(200);
      expect(requested).toEqual([[64 * 1024, ""]]);
      for (const bytes of [64 * 1024 + 1, 640 * 1024])
        expect((await ask("/paystack", { method: "POST", ...bodyOf(bytes, streamed) })).status).toBe(413);
      expect(requested, "only the first is read").toHaveLength(1);
    }
  });

  test("is refused, so that Paystack sends it again, when Paystack can't be queried", async () => {
    const paymentService = { settleRefunds: () => Promise.reject(lost) };
    expect((await send({ paymentService, message: { kind: "refund", reference: "b" } })).status).toBe(503);
    expect(lines).toEqual([["a message of Paystack's failed", { error: "ECONNREFUSED" }]]);
  });
});
