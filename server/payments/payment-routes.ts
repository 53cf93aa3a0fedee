import { setTimeout as pause } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isUuid } from "#shared/text/uuid.ts";
import type { Backend } from "../api/backend.ts";
import { clientAddress } from "../lib/client-address.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { notStored, refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";
import { EarlierPaymentUnknown, isMade, type PaymentService } from "./payment-service.ts";
import { isReference, type PaymentProvider } from "./provider.ts";

type Parts = {
  settings: Settings;
  backend: Backend;
  provider: PaymentProvider;
  paymentService: PaymentService;
};
type RouteContext = Context<{ Bindings: HttpBindings }>;

const maxMessageBytes = 64 * 1024;

/**
 * How long a returning customer waits for Paystack's response; after that the page shows the order, and the worker
 * asks.
 */
const returnTimeoutMs = 5_000;

/** Not the provider's message, which may name people. */
function logFault(what: string, error: unknown): void {
  const { name, code } = error as { name?: string; code?: string };
  log.warn(`${what} failed`, { error: code ?? name ?? "unknown" });
}

/**
 * The web server's routes below /payments: customers open a payment and return from it, and the provider reports that
 * it has been made.
 */
export function paymentRoutes({
  settings,
  backend,
  provider,
  paymentService,
}: Parts): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.use(notStored);

  /**
   * Whether the client's session may read this order, decided by row level security: 200, or the refusal. If the shop
   * was too busy to check, the response tells the browser that nothing was started.
   */
  async function readerOf(c: RouteContext, orderId: string): Promise<number> {
    const authorization = c.req.header("authorization");
    if (!authorization) return 401;
    if (!isUuid(orderId)) return 404;
    const address = new URL(`/rest/v1/orders?id=eq.${orderId}&select=id`, settings.siteUrl);
    const request = new Request(address, { headers: { apikey: backend.publishableKey, authorization } });
    const response = await backend.fetch(request, clientAddress(c.env.incoming, settings));
    for (const name of ["retry-after", "x-not-begun"]) {
      const value = response.headers.get(name);
      if (value !== null) c.header(name, value);
    }
    if (!response.ok) return response.status;
    return ((await response.json()) as unknown[]).length > 0 ? 200 : 404;
  }

  const reasons: Record<number, string> = {
    401: "Please sign in again.",
    404: "This order no longer exists.",
  };

  routes.post("/orders/:orderId", async (c) => {
    const status = await readerOf(c, c.req.param("orderId"));
    if (status !== 200) return refuse(c, status, reasons[status] ?? "Please try again in a moment.");
    try {
      return c.json(await paymentService.open(c.req.param("orderId")));
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return refuse(c, error.status, error.message, error.code);
      logFault("opening a payment", error);
      const message =
        error instanceof EarlierPaymentUnknown
          ? "We can't check your earlier payment at the moment. If you have paid, please don't pay again. Otherwise, please try again later."
          : "Online payment isn't available at the moment. You haven't been charged. Please try again later.";
      return refuse(c, 502, message, "unavailable");
    }
  });

  routes.get("/return", async (c) => {
    // Paystack adds both names.
    const reference = c.req.query("reference") ?? c.req.query("trxref") ?? "";
    const fail = (error: unknown) => logFault("asking about a payment", error);
    const payment = isReference(reference) ? await paymentService.find(reference).catch(fail) : null;
    if (payment && !isMade(payment))
      await Promise.race([
        paymentService.settle(reference).catch(fail),
        pause(returnTimeoutMs, undefined, { ref: false }),
      ]);
    return c.redirect(payment?.order_id ? `/order-confirmation/${payment.order_id}` : "/orders", 303);
  });

  /** Messages are repeated, and others may replay old ones: a settled payment is not verified again. */
  async function ask(reference: string): Promise<void> {
    const payment = await paymentService.find(reference);
    if (!payment || !isMade(payment)) await paymentService.settle(reference);
  }

  routes.post(
    "/paystack",
    bodyLimit({ maxSize: maxMessageBytes, onError: (c) => c.body(null, 413) }),
    async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer());
      try {
        const message = provider.readWebhook(body, c.req.header("x-paystack-signature") ?? "");
        if (message === undefined) return c.body(null, 401);
        if (message?.kind === "payment") await ask(message.reference);
        if (message?.kind === "refund") await paymentService.settleRefunds(message.reference);
        return c.body(null, 200);
      } catch (error) {
        if (error instanceof SyntaxError) return c.body(null, 400);
        // Any status but 200 makes Paystack resend it.
        logFault("a message of Paystack's", error);
        return c.body(null, 503);
      }
    },
  );
  return routes;
}
