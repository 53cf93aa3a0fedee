import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { shop } from "#app/shop.ts";
import { writeDurably } from "./embedded/durable-file.ts";
import type { Settings } from "./settings.ts";

/** A mail before it has a form: two versions of the same words. */
export type Letter = { to: string; subject: string; text: string; html: string };

export type MailSettings = Pick<Settings, "smtpUrl" | "mailFrom" | "dataDir">;

export type Post = {
  /** Takes a mail for delivery; resolves when it is safely on the disk, not when it has arrived. */
  send: (letter: Letter) => Promise<void>;
  /** Stops delivering; what is still waiting is delivered after the next start. */
  stop: () => Promise<void>;
};

/** Where mails go when no mail server is set: one .eml file each. */
export const outboxFolder = (dataDir: string) => join(dataDir, "outbox");

/** Mails on their way to the mail server. */
export const queueFolder = (dataDir: string) => join(dataDir, "mail-queue");

/** The outbox is for trying the shop out; it must not grow for ever. */
const outboxKeeps = 500;

const retryAfterSeconds = [5, 30, 120, 600, 1800];
const stopPatienceMs = 2_000;
const giveUpAfterMs = 24 * 60 * 60 * 1000;

type Waiting = { to: string; from: string; raw: string; since: number };

async function compose(from: string, letter: Letter): Promise<string> {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const composed = await composer.sendMail({ from: { name: shop.name, address: from }, ...letter });
  return String(composed.message);
}

/** Names sort by time, so that a listing is in order of arrival. */
const fileName = (ending: string) =>
  `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.${ending}`;

async function listFiles(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).sort();
}

function openOutbox(settings: MailSettings): Post {
  const folder = outboxFolder(settings.dataDir);
  return {
    send: async (letter) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(join(folder, fileName("eml")), await compose(settings.mailFrom, letter), 0o600);
      const names = await listFiles(folder, ".eml");
      for (const name of names.slice(0, -outboxKeeps)) await rm(join(folder, name), { force: true });
    },
    stop: async () => {},
  };
}

function openQueue(settings: MailSettings, smtpUrl: string, tell: (line: string) => void): Post {
  const folder = queueFolder(settings.dataDir);
  const server = createTransport({ url: smtpUrl, connectionTimeout: 15_000, greetingTimeout: 15_000 });
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let failures = 0;
  let stopped = false;

  async function deliver(name: string): Promise<void> {
    const path = join(folder, name);
    const mail = JSON.parse(await readFile(path, "utf8")) as Waiting;
    try {
      await server.sendMail({ envelope: { from: mail.from, to: mail.to }, raw: mail.raw });
    } catch (error) {
      const { code = "no code", responseCode = 0 } = error as { code?: string; responseCode?: number };
      const refusedForGood = responseCode >= 500 && responseCode < 600 && code !== "EAUTH";
      if (!refusedForGood && Date.now() - mail.since < giveUpAfterMs) throw error;
      tell(`a mail was given up (${code}, ${responseCode}); it stays in ${folder} as ${name}.failed`);
      await rename(path, `${path}.failed`);
      return;
    }
    await rm(path, { force: true });
  }

  async function work(): Promise<void> {
    clearTimeout(timer);
    for (const name of await listFiles(folder, ".json")) {
      if (stopped) return;
      try {
        await deliver(name);
        failures = 0;
      } catch (error) {
        const wait = retryAfterSeconds[Math.min(failures, retryAfterSeconds.length - 1)] ?? 60;
        failures += 1;
        tell(
          `a mail could not be delivered (${(error as { code?: string }).code ?? "no code"}); next try in ${wait} s`,
        );
        timer = setTimeout(start, wait * 1000);
        timer.unref();
        return;
      }
    }
  }

  function start(): void {
    working = working.then(work).catch((error: { code?: string }) => {
      tell(`the mail queue cannot be read (${error.code ?? "no code"})`);
    });
  }

  start();
  return {
    send: async (letter) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const raw = await compose(settings.mailFrom, letter);
      const waiting: Waiting = { to: letter.to, from: settings.mailFrom, raw, since: Date.now() };
      await writeDurably(join(folder, fileName("json")), JSON.stringify(waiting), 0o600);
      start();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      server.close();
      // A mail that a slow server is just taking stays in the queue: better twice than not at all.
      await Promise.race([working, pause(stopPatienceMs, undefined, { ref: false })]);
    },
  };
}

/**
 * The way out for mails: the mail server of SMTP_URL through a queue on the disk (so that a slow or dead server
 * neither delays an answer nor loses a mail), else the outbox.
 * @param tell receives lines for the log, free of personal data
 */
export function openPost(settings: MailSettings, tell: (line: string) => void): Post {
  return settings.smtpUrl ? openQueue(settings, settings.smtpUrl, tell) : openOutbox(settings);
}
