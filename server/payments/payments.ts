import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import type { Settings } from "../lib/settings.ts";
import { paymentRoutes } from "./payment-routes.ts";
import { createPaymentService } from "./payment-service.ts";
import { startPaymentWorker } from "./payment-worker.ts";
import { connectPaystack } from "./paystack.ts";

/**
 * How long staff may wait for a refund to be sent; a round without refunds costs an index lookup, or a request to the
 * project.
 */
const usualPauses = { embedded: 5_000, hosted: 15_000 };

export type Payments = {
  /** Handles requests below /payments; null when customers can't pay online. */
  routes: Hono<{ Bindings: HttpBindings }> | null;
  /** Lines for the owner. */
  notices: string[];
  stop: () => Promise<void>;
};

/** Whether customers can pay online: the shop has both keys that this needs. */
export const paysOnline = ({ paystack }: Pick<Settings, "paystack">, { call }: Pick<Backend, "call">) =>
  paystack !== null && call !== null;

/**
 * Online payments, if the owner has set the key. Several web processes may run this at once.
 * @param everyMs the pause between checks of open payments; null leaves these to another process
 */
export function startPayments(
  settings: Settings,
  backend: Backend,
  everyMs: number | null = usualPauses[backend.kind],
): Payments {
  const off = { routes: null, stop: async () => {} };
  if (!settings.paystack) return { ...off, notices: [] };
  const { call, leads } = backend;
  if (!call)
    return {
      ...off,
      notices: [
        "Online payments are off: set SUPABASE_SECRET_KEY beside PAYSTACK_SECRET_KEY to turn them on.",
      ],
    };
  const provider = connectPaystack(settings.paystack);
  const paymentService = createPaymentService({ provider, call, siteUrl: settings.siteUrl });
  return {
    routes: paymentRoutes({ settings, backend, provider, paymentService }),
    notices: [],
    stop:
      everyMs === null
        ? off.stop
        : startPaymentWorker({ paymentService, log: (line) => log.warn(line), everyMs, leads }),
  };
}
