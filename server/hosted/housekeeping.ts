import { countOf } from "#shared/text/count-of.ts";
import type { CallDatabase } from "../lib/call-database.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many rows are changed together: one call has to end within the project's timeout. */
const MOST = 200;

/** What each function deletes, for the log. Those that return a number are called until it is 0. */
const tasks = {
  forget_old_orders: "names on old orders",
  forget_old_registrations: "registrations for past events",
  forget_old_consultations: "old consultations",
} as const;

/**
 * Deletes a hosted project's old personal data now and once a day, as the embedded backend's housekeeping does (server/shop/housekeeping.ts).
 * Several machines may do so at the same time: each takes what it finds.
 * @param call with the secret key's rights
 * @param log receives lines for the log
 * @returns stops after the call under way
 */
export function startHostedHousekeeping(
  call: CallDatabase,
  log: (line: string) => void,
): () => Promise<void> {
  let isStopped = false;

  /** @returns how many rows there were */
  async function repeat(name: keyof typeof tasks): Promise<number> {
    let total = 0;
    while (!isStopped) {
      const done = Number(await call(name, { _most: MOST }));
      if (!done) break;
      total += done;
    }
    return total;
  }
  const failed =
    (what: string) =>
    ({ code, name }: { code?: string; name?: string }) => {
      log(`${what} could not be deleted (${code ?? name})`);
      return 0;
    };

  async function tidy(): Promise<void> {
    for (const [name, what] of Object.entries(tasks) as [keyof typeof tasks, string][]) {
      const total = await repeat(name).catch(failed(what));
      if (name === "forget_old_orders" && total > 0)
        log(`Names were removed from ${countOf(total, "old order")}`);
    }
    if (!isStopped) await call("forget_old_tickets", {}).catch(failed("links to files that have ended"));
  }

  let running = tidy();
  const timer = setInterval(() => {
    running = running.then(tidy);
  }, DAY_MS).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
