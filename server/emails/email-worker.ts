import { setTimeout as pause } from "node:timers/promises";
import type { ClaimedEmail } from "./claimed-email.ts";
import { NoRecipient, readerOf } from "./deliver.ts";
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
  /** Whether the mail server takes connections. */
  responds: () => Promise<boolean>;
  /** Receives lines for the log, free of personal data. */
  log: (line: string) => void;
  /** How often the database is queried for emails. */
  everyMs: number;
  /** Whether this machine is the one that sends them now. */
  leads?: () => boolean;
};

/**
 * In flight, each over a connection of its own: a server that takes 25 ms for each of an email's four responses gets more than 50 a
 * second. With those of email-transport.ts, the shop opens ten at most, which providers commonly allow.
 */
export const emailsAtOnce = 7;
/** A server that has refused a connection may allow fewer: another one is tried after 20 emails. */
const growthAfterFault = 0.05;
/** One that has waited longer for an earlier email to the same person goes back: its delivery could outlast its lease (mail-server.ts). */
const freshMs = 60_000;

const stockEveryMs = 15 * 60_000;
/** A new email never waits longer than this for the next try of a mail server that was at fault. */
const longestPauseMs = 60_000;
const stopTimeoutMs = 8_000;
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
 * Sends the shop's emails, several at once but those to one person one after the other, until none is due. Any number of workers may
 * run: the database hands each email to one of them at a time. supabase/schema/7-emails/3-sending.sql states the guarantees.
 */
export function startEmailWorker({
  queue,
  deliver,
  responds,
  log,
  everyMs,
  leads = () => true,
}: Context): EmailWorker {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let stockCheckedAt = Number.NEGATIVE_INFINITY;
  let lastLine = "";
  /** How many emails may be in flight: one until the server has accepted it. */
  let limit = 1;
  let growth = 1;
  let delivering = 0;
  /** The last email that the mail server was at fault for with no other in flight. */
  let suspect: string | null = null;
  /** How often in a row the mail server was at fault with no other email in flight. */
  let faults = 0;
  /** Whether emails in flight that have not reached the mail server go back to their place in the queue. */
  let isReturning = false;

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

  /** Sends an email after the earlier one to the same person; returns whether to go on with further ones. */
  async function send(email: ClaimedEmail, earlier: Promise<void> | undefined): Promise<boolean> {
    const freshUntil = performance.now() + freshMs;
    await earlier;
    if (stopped || performance.now() > freshUntil) isReturning = true;
    if (isReturning) {
      await queue.returnEmail(email);
      return true;
    }
    delivering += 1;
    try {
      await deliver(email).finally(() => {
        delivering -= 1;
      });
    } catch (error) {
      const { reason, final, ofServer } = explain(error);
      const isAlone = delivering === 0;
      const isSuspect = isAlone && suspect === email.id;
      // A server that takes connections but again not this email must not hold up all others.
      const keepsPlace = ofServer && !(isSuspect && (await responds()));
      if (keepsPlace) {
        isReturning = true;
        if (isAlone) faults += 1;
      }
      if (ofServer) {
        if (limit >= 2) growth = growthAfterFault;
        // While it takes others, it may only allow fewer connections.
        limit = isAlone ? 1 : Math.max(1, Math.floor(limit) - 1);
        if (isAlone) suspect = email.id;
      }
      if (isAlone || !ofServer) logChange(`an email of the kind ${email.kind} was not sent. ${reason}`);
      await queue.recordFailed(email, reason, final, keepsPlace);
      return !(ofServer && isAlone);
    }
    faults = 0;
    limit = Math.min(emailsAtOnce, limit + growth);
    await recordSent(email.id);
    lastLine = "";
    return true;
  }

  async function sendAll(): Promise<void> {
    const inFlight = new Map<string, Promise<void>>();
    const latest = new Map<string | null, Promise<void>>();
    let goesOn = true;
    let lost: unknown;
    function start(email: ClaimedEmail): void {
      const reader = readerOf(email)?.toLowerCase() ?? null;
      const sending = send(email, latest.get(reader))
        .then((further) => {
          goesOn &&= further;
        })
        .catch((error) => {
          lost = error;
          isReturning = true;
          goesOn = false;
        })
        .finally(() => inFlight.delete(email.id));
      inFlight.set(email.id, sending);
      latest.set(reader, sending);
    }
    try {
      while (goesOn && !stopped && leads()) {
        const email = await queue.claim();
        if (!email) {
          // New emails don't wait for one that a slow server is still accepting.
          await Promise.race([Promise.all(inFlight.values()), pause(everyMs, undefined, { ref: false })]);
          if (inFlight.size === 0) break;
        } else if (!inFlight.has(email.id)) {
          // One that the server has not accepted within its lease is handed out again.
          start(email);
        }
        while (inFlight.size > 0 && (isReturning || inFlight.size + 1 > limit))
          await Promise.race(inFlight.values());
        isReturning = false;
      }
    } finally {
      await Promise.all(inFlight.values());
      isReturning = false;
    }
    if (lost) throw lost;
  }

  async function work(): Promise<void> {
    if (!leads()) return;
    if (performance.now() - stockCheckedAt > stockEveryMs) {
      await queue.queueLowStock();
      stockCheckedAt = performance.now();
    }
    await sendAll();
  }

  async function round(): Promise<void> {
    await work().catch((error: { code?: string; name?: string }) => {
      if (!stopped) logChange(`the shop's emails can't be read or recorded (${error.code ?? error.name})`);
    });
    if (stopped) return;
    const pauseMs = Math.min(longestPauseMs, everyMs * 2 ** Math.max(0, faults - 1));
    timer = setTimeout(() => {
      working = round();
    }, pauseMs);
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
