import { setTimeout as pause } from "node:timers/promises";
import type { PaymentService } from "./payment-service.ts";

type Context = {
  paymentService: Pick<PaymentService, "checkNext">;
  /** Receives lines for the log, free of personal data. */
  log: (line: string) => void;
  everyMs: number;
  /** Whether this machine is the one that checks them now. */
  leads?: (() => boolean) | undefined;
};

const stopTimeoutMs = 2_000;

/**
 * Checks payments and refunds that stay open because the provider's message was lost or never sent. Any number of
 * workers may run: the database hands each of them to one at a time.
 * @returns the function that stops it
 */
export function startPaymentWorker({
  paymentService,
  log,
  everyMs,
  leads = () => true,
}: Context): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let lastLine = "";

  async function work(): Promise<void> {
    try {
      while (!stopped && leads() && (await paymentService.checkNext()));
      lastLine = "";
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string };
      const line = `open payments can't be checked (${code ?? name})`;
      if (line !== lastLine && !stopped) log(line);
      lastLine = line;
    }
  }

  async function round(): Promise<void> {
    await work();
    if (stopped) return;
    timer = setTimeout(() => {
      working = round();
    }, everyMs);
    timer.unref();
  }

  let working = round();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await Promise.race([working, pause(stopTimeoutMs, undefined, { ref: false })]);
  };
}
