import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Shop } from "#shared/owner/settings.ts";
import { makeFolder, writeDurably } from "../lib/durable-file.ts";
import type { Settings } from "../lib/settings.ts";
import { sendDirectly } from "./direct-transport.ts";
import { compose, connectMailServer, type Email, mailFault } from "./mail-server.ts";
import { ownerAddress } from "./read-shop.ts";

export type MailSettings = Pick<Settings, "smtpUrl" | "mailFrom" | "shopEmail" | "dataDir"> &
  Partial<Pick<Settings, "databaseUrl">> & { readShop: () => Promise<Shop> };

export type EmailTransport = {
  /** Accepts an email for delivery; resolves when it is safely on the disk, not when it has arrived. */
  send: (email: Email) => Promise<void>;
  /** The same for hundreds at once: they wait on this machine's disk until the mail server takes them. */
  sendLater: (email: Email) => Promise<void>;
  /** Stops delivering; what is still waiting is delivered after the next start. */
  stop: () => Promise<void>;
};

/** Where emails go when no mail server is set: one .eml file each. */
export const outboxFolder = (dataDir: string) => join(dataDir, "outbox");

/** Emails waiting for the mail server. */
export const queueFolder = (dataDir: string) => join(dataDir, "mail-queue");

/** The outbox is for trying the shop out; it must not grow forever. */
const outboxKeeps = 500;

const retryAfterSeconds = [5, 30, 120, 600, 1800];
/** A new email doesn't wait for the server's whole pause, which may be half an hour: the server may work again. */
const newEmailPauseMs = 5_000;
const stopTimeoutMs = 2_000;
const giveUpAfterMs = 24 * 60 * 60 * 1000;

type Waiting = { to: string; from: string; raw: string; since: number };

/** A waiting email as its file holds it; null when the disk has damaged it. */
function parse(text: string): Waiting | null {
  try {
    return JSON.parse(text) as Waiting;
  } catch {
    return null;
  }
}

/** Failures in a row, and when the next try is due. */
type Pause = { failures: number; until: number; seconds: number };

function lengthen(pause: Pause | undefined): Pause {
  const failures = (pause?.failures ?? 0) + 1;
  const seconds = retryAfterSeconds[Math.min(failures, retryAfterSeconds.length) - 1] ?? 60;
  return { failures, seconds, until: Date.now() + seconds * 1000 };
}

/** Names sort by time, so that a listing is in order of arrival. */
const fileName = (ending: string) =>
  `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.${ending}`;

async function listFiles(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // No email has been sent yet.
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(ending)).sort();
}

/** Deletes the emails that were half written when the power failed; they are never sent. Before anything is written. */
export async function deleteUnfinishedEmails(dataDir: string, log: (line: string) => void): Promise<void> {
  for (const folder of [outboxFolder(dataDir), queueFolder(dataDir)]) {
    try {
      for (const name of await listFiles(folder, ".tmp")) await rm(join(folder, name), { force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      log(`unfinished emails could not be deleted (${code ?? "no code"})`);
    }
  }
}

/** Keeps an encoded email in the outbox; a file of this name is replaced. */
export async function writeToOutbox(dataDir: string, name: string, raw: string): Promise<void> {
  const folder = outboxFolder(dataDir);
  await makeFolder(folder, 0o700);
  await writeDurably(join(folder, name), raw, 0o600);
  const names = await listFiles(folder, ".eml");
  for (const oldest of names.slice(0, -outboxKeeps)) await rm(join(folder, oldest), { force: true });
}

/** The shop reads the replies: the sender's address may be one that no one reads. */
async function encode({ mailFrom, shopEmail, readShop }: MailSettings, email: Email) {
  const shop = await readShop();
  const replyTo = ownerAddress(shop, shopEmail);
  const raw = await compose({ name: shop.name, address: mailFrom }, email, replyTo ? { replyTo } : {});
  return { from: mailFrom, to: email.to, raw };
}

function openOutbox(settings: MailSettings): EmailTransport {
  const send = async (email: Email) =>
    writeToOutbox(settings.dataDir, fileName("eml"), (await encode(settings, email)).raw);
  return {
    send,
    sendLater: send,
    stop: async () => {},
  };
}

function openQueue(settings: MailSettings, smtpUrl: string, log: (line: string) => void): EmailTransport {
  const folder = queueFolder(settings.dataDir);
  const server = connectMailServer(smtpUrl, 1);
  let timer: NodeJS.Timeout | undefined;
  let nextRoundAt = Number.POSITIVE_INFINITY;
  let working = Promise.resolve();
  let isRoundQueued = false;
  /** Emails that have come since the round began. Their recipients wait for them now, so they pass older ones. */
  const newNames: string[] = [];
  /** One pause per email: an address that the server temporarily refuses delays no other. Reset by a restart. */
  const pauses = new Map<string, Pause>();
  let serverPause: Pause | undefined;
  let serverFailedAt = Number.NEGATIVE_INFINITY;
  let lastServerLine = "";
  let stopped = false;

  async function deliver(name: string): Promise<void> {
    const path = join(folder, name);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      // It has just been sent as a new one, or its recipient was anonymised.
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (text === null) return;
    const mail = parse(text);
    if (!mail) {
      log(`an email is damaged and can't be sent; it stays in ${folder} as ${name}.failed`);
      return rename(path, `${path}.failed`);
    }
    try {
      await server.send(mail);
    } catch (error) {
      const { code, responseCode, forGood } = mailFault(error);
      if (!forGood && Date.now() - mail.since < giveUpAfterMs) throw error;
      log(`an email was given up (${code}, ${responseCode}); it stays in ${folder} as ${name}.failed`);
      await rename(path, `${path}.failed`);
      return;
    }
    await rm(path, { force: true });
  }

  /** Delivers one email, or schedules its retry; false when the server accepts none for now. */
  async function attempt(name: string): Promise<boolean> {
    try {
      await deliver(name);
      pauses.delete(name);
      serverPause = undefined;
      lastServerLine = "";
      return true;
    } catch (error) {
      // Paused in any case: if only this email upsets the server, the next round starts with another one.
      let pause = lengthen(pauses.get(name));
      pauses.set(name, pause);
      const { code, ofServer } = mailFault(error);
      if (ofServer) {
        pause = serverPause = lengthen(serverPause);
        serverFailedAt = Date.now();
      }
      const line = `an email could not be delivered (${code}); retrying in ${pause.seconds} s`;
      // A server that stays down is tried again for each new email, perhaps thousands of times.
      if (!ofServer || line !== lastServerLine) log(line);
      lastServerLine = ofServer ? line : "";
      return !ofServer;
    }
  }

  function scheduleRound(at: number): void {
    if (stopped || at >= nextRoundAt) return;
    clearTimeout(timer);
    nextRoundAt = at;
    timer = setTimeout(start, Math.max(at - Date.now(), 0));
    timer.unref();
  }

  function* inTurn(names: string[]): Generator<string> {
    for (const name of names) {
      yield* newNames.splice(0);
      yield name;
    }
    yield* newNames.splice(0);
  }

  async function work(): Promise<void> {
    clearTimeout(timer);
    nextRoundAt = Number.POSITIVE_INFINITY;
    const names = await listFiles(folder, ".json");
    // Emails to a person who was anonymised are deleted from the folder.
    const existing = new Set(names);
    for (const name of pauses.keys()) if (!existing.has(name)) pauses.delete(name);
    for (const name of inTurn(names)) {
      if (stopped) return;
      if ((pauses.get(name)?.until ?? 0) > Date.now()) continue;
      if (await attempt(name)) continue;
      newNames.length = 0;
      return scheduleRound(serverPause?.until ?? 0);
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of pauses.values()) next = Math.min(next, until);
    if (next < Number.POSITIVE_INFINITY) scheduleRound(next);
  }

  /** One round at a time; however often it is requested during one, a single round follows. */
  function start(): void {
    if (isRoundQueued) return;
    isRoundQueued = true;
    working = working
      .then(() => {
        isRoundQueued = false;
        return work();
      })
      .catch((error: { code?: string }) => {
        log(`the mail queue cannot be read (${error.code ?? "no code"})`);
      });
  }

  async function send(email: Email): Promise<void> {
    await makeFolder(folder, 0o700);
    const waiting: Waiting = { ...(await encode(settings, email)), since: Date.now() };
    const name = fileName("json");
    await writeDurably(join(folder, name), JSON.stringify(waiting), 0o600);
    newNames.push(name);
    if (serverPause) scheduleRound(serverFailedAt + newEmailPauseMs);
    else start();
  }

  start();
  return {
    send,
    sendLater: send,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      server.close();
      // An email that a slow server is still accepting stays in the queue: better sent twice than not at all.
      await Promise.race([working, pause(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/**
 * Sends emails to the mail server of SMTP_URL: through a queue on the disk (so that a slow or dead server neither delays a response nor
 * loses an email), or from the queue in the database that several machines share. Without a mail server, they go to the outbox.
 * @param log receives lines for the log, free of personal data
 */
export function openEmailTransport(settings: MailSettings, log: (line: string) => void): EmailTransport {
  const { smtpUrl, databaseUrl } = settings;
  if (!smtpUrl) return openOutbox(settings);
  const queue = openQueue(settings, smtpUrl, log);
  return databaseUrl ? sendDirectly(smtpUrl, (email) => encode(settings, email), queue, log) : queue;
}
