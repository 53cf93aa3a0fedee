import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#server/database/sql.ts";
import { outboxFolder } from "#server/emails/email-transport.ts";
import { startShopEmails } from "#server/emails/shop-emails.ts";
import { readSettings } from "#server/lib/settings.ts";
import { idsOf, openMailServer } from "#tests/support/smtp-server.ts";
import { type Reach, steppingEmails } from "#tests/support/stepping.ts";
import { emailInvariants, findRows } from "./email-steps.ts";
import { holdAt, untilNone } from "./hold-at.ts";

/** Steps of an email on its way to the mail server, and into the outbox, where "accepted" is the file. */
const steps = {
  server: ["claimed", "sending", "accepted", "recorded"],
  outbox: ["claimed", "accepted", "recorded"],
} as const;
type To = keyof typeof steps;
const ways: To[] = ["outbox", "server"];

type Place = { sql: Sql; dataDir: string };

export type EmailsUnderPower = {
  /** Holds an email at each of its steps. */
  holdAtEachStep: (place: Place) => Promise<void>;
  /** Workers send, until the power is cut. */
  letRun: (place: Place) => void;
  /** After the restart: everything is sent, and none came twice but those of which the shop could not know that they had. */
  findBroken: (place: Place) => Promise<string[]>;
  figures: () => { sent: number; twice: number };
  close: () => void;
};

const waiting = "state = 'waiting' and ($1::text::uuid[] is null or id = any ($1::text::uuid[]))";

/** Emails of a shop whose power is cut. The mail server is elsewhere, and keeps what it has accepted. */
export async function openEmailsUnderPower(): Promise<EmailsUnderPower> {
  /** Holds the next email that comes in before it is accepted. */
  let holdSending: (() => Promise<void>) | null = null;
  const mailServer = await openMailServer({ beforeAccepting: async () => holdSending?.() });
  /** Emails that a worker was told are recorded as sent, and those that were claimed for the outbox. */
  const recorded = new Set<string>();
  const forOutbox = new Set<string>();
  /** How often the mail server had accepted an email when it was looked at last. */
  const times = new Map<string, number>();
  let stops: (() => Promise<void>)[] = [];

  function start({ sql, dataDir }: Place, to: To, reach: Reach = async () => {}) {
    const settings = readSettings({
      SITE_URL: "https://shop.example",
      SHOP_EMAIL: "orders@shop.example",
      MAIL_FROM: "no-reply@shop.example",
      DATA_DIR: dataDir,
      ...(to === "server" ? { SMTP_URL: mailServer.url } : {}),
    });
    const stepping = steppingEmails(sql, async (step, id = "") => {
      if (step === "claimed" && to === "outbox") forOutbox.add(id);
      if (step === "recorded") recorded.add(id);
      await reach(step, id);
    });
    const { stop } = startShopEmails(settings, stepping, () => {});
    stops.push(stop);
    return stop;
  }

  async function hold(place: Place, to: To, step: string): Promise<void> {
    const { reach, held } = holdAt(step);
    if (step === "sending")
      holdSending = () => {
        holdSending = null;
        return reach(step);
      };
    start(place, to, reach);
    await held;
  }

  /** Emails go on where they began; the leases of those that were under way have ended. */
  async function sendAll(place: Place): Promise<void> {
    for (const to of ways) {
      const values = [to === "outbox" ? `{${[...forOutbox].join()}}` : null];
      const due = (condition: string, pause: string) =>
        `update public.outgoing_emails set due_at = clock_timestamp() + interval '${pause}' where ${condition}`;
      await place.sql.exec(due("state = 'waiting'", "10 minutes"));
      await place.sql.query(due(waiting, "0"), values);
      const stop = start(place, to);
      await untilNone(place.sql, `select from public.outgoing_emails where ${waiting}`, values);
      await stop();
    }
  }

  /** How often each file's email is in the outbox; messages about damaged ones. */
  async function readOutbox(dataDir: string) {
    const folder = outboxFolder(dataDir);
    // A complete shop deletes half-written emails when it starts.
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    const damaged = mails
      .filter((mail) => !/^--.*--\s*$/m.test(mail))
      .map(() => "a file of the outbox is damaged");
    return { files: idsOf({ mails }), damaged };
  }

  return {
    holdAtEachStep: async (place) => {
      for (const to of ways) for (const step of steps[to]) await hold(place, to, step);
    },
    letRun: (place) => {
      for (const to of ["server", "server", "outbox"] as const) start(place, to);
    },
    findBroken: async (place) => {
      await Promise.all(stops.map((stop) => stop()));
      stops = [];
      const existing = new Set(recorded);
      await sendAll(place);
      const { files, damaged } = await readOutbox(place.dataDir);
      const accepted = idsOf(mailServer);
      const broken = [...damaged, ...(await findRows((query) => place.sql.query(query), emailInvariants))];
      const rows = await place.sql.query<{ id: string; state: string }>(
        "select id, state from public.outgoing_emails",
      );
      for (const { id, state } of rows) {
        const before = times.get(id);
        const count = [...accepted, ...files].filter((each) => each === id).length;
        // What has been looked at was sent; nothing may come after that. The outbox keeps the newest 500.
        const [least, most] =
          before !== undefined ? [0, before] : [1, existing.has(id) || forOutbox.has(id) ? 1 : 2];
        if (state !== "sent" || count < least || count > most)
          broken.push(
            `email ${id} is ${state}, and arrived ${count} times, expected ${least} to ${most}` +
              ` (checked before: ${before !== undefined}, recorded: ${existing.has(id)}, for the outbox: ${forOutbox.has(id)})`,
          );
        if (before === undefined) times.set(id, count);
      }
      return broken;
    },
    figures: () => {
      const counts = [...times.values()];
      return { sent: counts.length, twice: counts.filter((count) => count > 1).length };
    },
    close: () => mailServer.stop(),
  };
}
