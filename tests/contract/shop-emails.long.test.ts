import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Sql } from "#server/database/sql.ts";
import { startShopEmails } from "#server/emails/shop-emails.ts";
import { readSettings } from "#server/lib/settings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { idsOf, type MailServer } from "#tests/support/smtp-server.ts";
import { openSql } from "#tests/support/test-server.ts";

let sql: Sql;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ sql, close } = await openSql("migrated"));
});
afterAll(() => close());
beforeEach(() => sql.exec("delete from public.outgoing_emails"));

const customer = { name: "Ama Mensah", email: "ama@school.example", address: "5 Castle Road, Cape Coast" };
const secrets = [customer.name, customer.email, customer.address];

/** Emails that wait, each about an order of its own; returns their ids. */
async function queue(count: number): Promise<string[]> {
  const person = randomUUID();
  await sql.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
    person,
    `${person}@school.example`,
  ]);
  await sql.query("update public.profiles set email = $2 where id = $1::text::uuid", [
    person,
    customer.email,
  ]);
  const rows = await sql.query<{ id: string }>(
    `with placed as (
       insert into public.orders (user_id, total_amount, recipient_name, shipping_address)
       select $1::text::uuid, 61.5, $2, $3 from generate_series(1, $4::text::int) returning id
     ), lines as (
       insert into public.order_items (order_id, quantity, price, title, publisher)
       select id, 3, 20.5, 'Integrated Science', 'Adwene' from placed
     )
     insert into public.outgoing_emails (kind, event, order_id) select 'order_placed', id::text, id from placed returning id`,
    [person, customer.name, customer.address, String(count)],
  );
  return rows.map(({ id }) => id);
}

type State = { state: string; attempts: number; reason: string | null };
const stateOf = async (id = "") =>
  (
    await sql.query<State>("select state, attempts, reason from public.outgoing_emails where id = $1", [id])
  )[0];
const waitForState = (id: string | undefined, state: Partial<State>) =>
  eventually(async () => expect(await stateOf(id)).toMatchObject(state), { timeout: 30_000, interval: 50 });
const makeDue = () =>
  sql.exec("update public.outgoing_emails set due_at = clock_timestamp() where state = 'waiting'");

const environment = (server: Pick<MailServer, "url">) => ({
  SITE_URL: "https://shop.example",
  SMTP_URL: server.url,
  MAIL_FROM: "no-reply@shop.example",
});

function startWorker(server: Pick<MailServer, "url">, over: Sql = sql) {
  const lines: string[] = [];
  const worker = startShopEmails(readSettings(environment(server)), over, (line) => void lines.push(line));
  onTestFinished(() => worker.stop());
  return { ...worker, lines };
}

test("An email arrives once, from the shop, with its order's lines, total, address and link", async () => {
  const server = await startMailServer();
  const [id] = await queue(1);
  const { lines } = startWorker(server);
  await waitForState(id, { state: "sent", attempts: 1, reason: null });
  expect(idsOf(server)).toEqual([id]);
  const [mail = ""] = server.mails;
  expect(mail).toContain("From: Adwene Books <no-reply@shop.example>");
  expect(mail).toContain(`To: ${customer.email}`);
  expect(mail).toContain("Auto-Submitted: auto-generated");
  for (const words of ["3 =C3=97 Integrated Science", "61.50", customer.address, "/order-confirmation/"])
    expect(mail.replace(/=\r\n/g, "")).toContain(words);
  expect(lines).toEqual([]);
});

test("Three workers at once send each of thirty emails once", async () => {
  const server = await startMailServer();
  const ids = await queue(30);
  for (let n = 0; n < 3; n += 1) startWorker(server);
  await Promise.all(ids.map((id) => waitForState(id, { state: "sent" })));
  expect(idsOf(server).sort()).toEqual(ids.sort());
});

test("A mail server that refuses an email twice for now and then accepts it gets it once", async () => {
  const server = await startMailServer({
    answer: (_, earlier) => (earlier < 2 ? "450 try later" : undefined),
  });
  const [id] = await queue(1);
  for (const attempts of [1, 2]) {
    const worker = startWorker(server);
    await waitForState(id, {
      attempts,
      state: "waiting",
      reason: "It was not accepted for now (EENVELOPE, 450).",
    });
    await worker.stop();
    expect(worker.lines.join()).toMatch(/^an email of the kind order_placed was not sent\./);
    for (const secret of secrets) expect(worker.lines.join()).not.toContain(secret);
    await makeDue();
  }
  startWorker(server);
  await waitForState(id, { attempts: 3, state: "sent", reason: null });
  expect(idsOf(server)).toEqual([id]);
});

test("An email that is refused for good is given up with the reason, and delays no other", async () => {
  const server = await startMailServer({
    answer: (_, earlier) => (earlier === 0 ? "550 no such user" : undefined),
  });
  const ids = await queue(2);
  startWorker(server);
  await eventually(() => expect(server.mails).toHaveLength(1), { timeout: 30_000 });
  const [sent = ""] = idsOf(server);
  await waitForState(sent, { state: "sent" });
  const other = ids.find((id) => id !== sent);
  expect(await stateOf(other)).toMatchObject({
    state: "given_up",
    reason: "The mail server refused it (EENVELOPE, 550).",
  });
});

test("A mail server that is down is tried once per round, and no email is lost", async () => {
  const ids = await queue(3);
  const worker = startWorker({ url: "smtp://127.0.0.1:1" });
  await worker.settled();
  await worker.stop();
  const tried = await Promise.all(ids.map(stateOf));
  expect(tried.map((email) => email?.attempts).sort()).toEqual([0, 0, 1]);
  expect(tried.map((email) => email?.state)).toEqual(["waiting", "waiting", "waiting"]);
  await makeDue();
  const server = await startMailServer();
  startWorker(server);
  await Promise.all(ids.map((id) => waitForState(id, { state: "sent" })));
  expect(idsOf(server).sort()).toEqual(ids.sort());
});

test("An address that can't exist is given up without asking the mail server", async () => {
  const server = await startMailServer();
  const [id] = await queue(1);
  await sql.exec("update public.profiles set email = 'admin@shop.invalid'");
  startWorker(server);
  await waitForState(id, { state: "given_up", reason: "No one can receive email at this address." });
  expect(server.mails).toEqual([]);
});

test("Recording a sent email is retried, so that it is not sent twice", async () => {
  const server = await startMailServer();
  const [id] = await queue(1);
  let failures = 0;
  const failing: Sql = {
    ...sql,
    query: async (text, values) => {
      if (text.includes("record_sent_email") && failures++ < 2) throw new Error("The connection was lost");
      return sql.query(text, values);
    },
  };
  startWorker(server, failing);
  await waitForState(id, { state: "sent", attempts: 1 });
  expect(idsOf(server)).toEqual([id]);
});

/** The worker in a process of its own, which stops where it is told to. */
async function startProcess(server: MailServer, stopAt: string): Promise<ChildProcess> {
  const [row] = await sql.query<{ name: string }>("select current_database() as name");
  const child = fork(join(import.meta.dirname, "../support/email-worker-process.ts"), {
    env: {
      PATH: process.env.PATH,
      ...environment(server),
      STOP_AT: stopAt,
      DATABASE: row?.name,
      SERVER: process.env.SHOP_TEST_SERVER,
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** How often each step is killed: 52 times in all in a long run. */
const kills = inGateOrLong(1, 13);

/** Steps at which a worker dies, and how often the mail server then has accepted the email in the end. */
const steps: [step: string, accepted: number][] = [
  ["claimed", 1],
  ["sending", 1],
  ["accepted", 2],
  ["recorded", 1],
];

test.each(steps)(
  "A worker that is killed at the step '%s' loses nothing: the email is accepted %d times in all, under one Message-ID",
  async (step, accepted) => {
    for (let n = 0; n < kills; n += 1) {
      await sql.exec("delete from public.outgoing_emails");
      const [id] = await queue(1);
      let isIn = () => {};
      const cameIn = new Promise<void>((resolve) => {
        isIn = resolve;
      });
      let isFirst = step === "sending";
      const server = await startMailServer({
        beforeAccepting: async () => {
          if (!isFirst) return;
          isFirst = false;
          isIn();
          await new Promise(() => {});
        },
      });
      const child = await startProcess(server, step);
      const there = new Promise<void>((resolve) => child.once("message", () => resolve()));
      await (step === "sending" ? cameIn : there);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;

      // While the lease runs, no other worker touches it.
      const second = startWorker(server);
      await second.settled();
      expect((await stateOf(id))?.attempts).toBe(1);
      await second.stop();
      await makeDue();
      const third = startWorker(server);
      await waitForState(id, { state: "sent", attempts: step === "recorded" ? 1 : 2 });
      // Or it would take the next round's email.
      await third.stop();
      expect(idsOf(server)).toEqual(Array.from({ length: accepted }, () => id));
    }
  },
  120_000 * kills,
);
