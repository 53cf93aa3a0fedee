import { setTimeout as pause } from "node:timers/promises";
import type { ClaimedEmail } from "./claimed-email.ts";
import { NoRecipient } from "./deliver.ts";
import type { EmailQueue } from "./email-queue.ts";
import { mailFault } from "./mail-server.ts";

export type EmailWorker = {
  /** Resolves when no email claimed earlier is still being sent. */
  settled: () => Promise<void>;
  /** Stops claiming; an email that a slow server is still accepting is sent again when its lease has ended. */
  stop: () => Promise<void>;
};

type Context = {
  queue: EmailQueue;
  /** Resolves when the email is accepted by the mail server or stored on disk. */
  deliver: (email: ClaimedEmail) => Promise<void>;
  /** Receives lines for the log, free of personal data. */
  log: (line: string) => void;
  /** How often the database is queried for emails. */
  everyMs: number;
  /** Whether this machine is the one that sends them now. */
  leads?: () => boolean;
};

const stockEveryMs = 15 * 60_000;
const stopTimeoutMs = 2_000;
const recordPausesMs = [0, 200, 1_000, 5_000, 20_000];

/** Why an email was not accepted, for staff and the log: without names, addresses or the server's own text. */
function explain(error: unknown): { reason: string; final: boolean; ofServer: boolean } {
  if (error instanceof NoRecipient)
    return { reason: "No one can receive email at this address.", final: true, ofServer: false };
  const { code, responseCode, ofServer, forGood } = mailFault(error);
  const detail = responseCode ? `${code}, ${responseCode}` : code;
  if (ofServer) return { reason: `The mail server can't be used (${detail}).`, final: false, ofServer };
  if (forGood) return { reason: `The mail server refused it (${detail}).`, final: true, ofServer };
  return { reason: `It was not accepted for now (${detail}).`, final: false, ofServer };
}

/**
 * Sends the shop's emails one by one until none is due. Any number of workers may run: the database hands each email
 * to one of them at a time. supabase/schema/7-emails/2-sending.sql states the guarantees.
 */
export function startEmailWorker({ queue, deliver, log, everyMs, leads = () => true }: Context): EmailWorker {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let stockCheckedAt = Number.NEGATIVE_INFINITY;
  let lastLine = "";

  /** A mail server that is down is logged once, not at every attempt. */
  function logChange(line: string): void {
    if (line !== lastLine) log(line);
    lastLine = line;
  }

  /** If the record were lost, the email would be sent twice. */
  async function recordSent(id: string): Promise<void> {
    let lost: unknown;
    for (const pauseMs of recordPausesMs) {
      if (pauseMs > 0) await pause(pauseMs, undefined, { ref: false });
      try {
        return await queue.recordSent(id);
      } catch (error) {
        lost = error;
        if (stopped) break;
      }
    }
    throw lost;
  }

  /** Whether to go on with the next email. */
  async function send(email: ClaimedEmail): Promise<boolean> {
    try {
      await deliver(email);
    } catch (error) {
      const { reason, final, ofServer } = explain(error);
      logChange(`an email of the kind ${email.kind} was not sent. ${reason}`);
      await queue.recordFailed(email, reason, final);
      return !ofServer;
    }
    await recordSent(email.id);
    lastLine = "";
    return true;
  }

  async function work(): Promise<void> {
    if (!leads()) return;
    if (performance.now() - stockCheckedAt > stockEveryMs) {
      await queue.queueLowStock();
      stockCheckedAt = performance.now();
    }
    for (let goesOn = true; goesOn && !stopped && leads(); ) {
      const email = await queue.claim();
      goesOn = email !== null && (await send(email));
    }
  }

  async function round(): Promise<void> {
    await work().catch((error: { code?: string; name?: string }) => {
      if (!stopped) logChange(`the shop's emails can't be read or recorded (${error.code ?? error.name})`);
    });
    if (stopped) return;
    timer = setTimeout(() => {
      working = round();
    }, everyMs);
    timer.unref();
  }

  let working = round();
  return {
    settled: () => working,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await Promise.race([working, pause(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
