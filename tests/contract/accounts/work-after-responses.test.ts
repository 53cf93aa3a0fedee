import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { emailMovedPeople } from "#server/api/accounts/moved.ts";
import { createTasks, type Task } from "#server/api/accounts/tasks.ts";
import type { Email } from "#server/emails/mail-server.ts";
import { newAccount, openAccounts, password, readShop, siteUrl } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openSql } from "#tests/support/test-server.ts";

const email = "ama@example.com";
const recovery = (who: string): Task => ({ kind: "recover", email: who, redirectTo: null, sendsEmail: true });
const emailTo = (to: string): Email => ({ to, subject: "Hello", text: "Hello", html: "Hello" });

/** The queue over a database of its own; its work writes one email, and sending fails as often as `failures` says. */
async function openTasks(failures: string[] = [], delayMs: [number, number] = [0, 0]) {
  const { sql, close } = await openSql("prepared");
  const [sent, worked, log]: [string[], string[], string[]] = [[], [], []];
  const tasks = createTasks({
    sql,
    work: async (_, task) => {
      worked.push(task.kind);
      return "email" in task ? [emailTo(task.email)] : [];
    },
    sendEmail: async ({ to }) => {
      const failure = failures.shift();
      if (failure) throw Object.assign(new Error(`${to} was refused`), { code: failure });
      sent.push(to);
    },
    log: (line) => log.push(line),
    delayMs,
  });
  onTestFinished(async () => {
    await tasks.stop();
    await close();
  });
  const waiting = async () =>
    (await sql.query<{ kind: string }>("select task ->> 'kind' as kind from private_shop.account_tasks")).map(
      ({ kind }) => kind,
    );
  return { sql, tasks, sent, worked, log, waiting };
}

test("Tasks are done in their order, each once, and so is what a crash left behind", async () => {
  const { sql, tasks, sent, log, waiting } = await openTasks();
  // As texts, 10 would come before 9.
  await sql.query("select setval(pg_get_serial_sequence('private_shop.account_tasks', 'id'), 8)");
  for (const who of ["a@example.com", "b@example.com", "c@example.com"]) await tasks.add(recovery(who));
  await eventually(async () => expect(await waiting()).toEqual([]), { timeout: 20_000 });
  expect(sent).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
  const left = JSON.stringify(recovery("d@example.com"));
  await sql.query("insert into private_shop.account_tasks (task) values ($1::text::jsonb)", [left]);
  tasks.start();
  await eventually(async () => expect(await waiting()).toEqual([]), { timeout: 20_000 });
  await tasks.stop();
  expect([sent.slice(3), log]).toEqual([["d@example.com"], []]);
});

test("An email that could not be sent is stored, logged without its address, and sent later without repeating the task", async () => {
  const { tasks, sent, worked, log, waiting } = await openTasks(["ENOSPC"]);
  await tasks.add(recovery(email));
  await eventually(() => expect(log).toHaveLength(1), { timeout: 20_000 });
  expect(log).toEqual(["accounts: an email could not be prepared (ENOSPC)"]);
  expect([await waiting(), sent]).toEqual([["send"], []]);
  await tasks.stop();
  expect([await waiting(), sent, worked]).toEqual([[], [email], ["recover"]]);
});

test("A task is tried again after five seconds, without another request", async () => {
  const { tasks, sent, log } = await openTasks(["ENOSPC"]);
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  await tasks.add(recovery(email));
  await eventually(() => expect(log).toHaveLength(1), { timeout: 20_000 });
  const retry = timers.mock.calls.find(([, delayMs]) => delayMs === 5_000)?.[0] as (() => void) | undefined;
  retry?.();
  await eventually(() => expect(sent).toEqual([email]), { timeout: 20_000 });
});

test("A task of more than an hour ago is dropped, whether its work is done or not", async () => {
  const { sql, tasks, sent, worked, waiting } = await openTasks();
  const add = (task: object, age: string) =>
    sql.query(
      `insert into private_shop.account_tasks (task, created_at)
       values ($1::text::jsonb, now() - $2::text::interval)`,
      [JSON.stringify(task), age],
    );
  for (const age of ["61 minutes", "59 minutes"]) {
    await add(recovery(`${age.slice(0, 2)}-work@example.com`), age);
    await add({ kind: "send", emails: [emailTo(`${age.slice(0, 2)}-send@example.com`)] }, age);
  }
  await tasks.stop();
  expect([worked, sent]).toEqual([["recover"], ["59-work@example.com", "59-send@example.com"]]);
  expect(await waiting()).toEqual([]);
});

test("The work waits for a random time within its bounds, and a stopped queue starts no timer", async () => {
  const { tasks, log } = await openTasks(["ENOSPC"], [300_007, 300_009]);
  const timers = vi.spyOn(globalThis, "setTimeout");
  const ended = vi.spyOn(globalThis, "clearTimeout");
  onTestFinished(() => {
    timers.mockRestore();
    ended.mockRestore();
  });
  const own = () =>
    timers.mock.calls.flatMap(([, delayMs], at) => (delayMs && delayMs > 300_000 ? [at] : []));
  for (let n = 0; n < 60; n += 1) await tasks.add(recovery(email));
  expect(new Set(own().map((at) => timers.mock.calls[at]?.[1]))).toEqual(
    new Set([300_007, 300_008, 300_009]),
  );
  const started = own().map((at) => timers.mock.results[at]?.value);
  await tasks.stop();
  const cleared = new Set(ended.mock.calls.map(([timer]) => timer));
  expect(started.filter((timer) => !cleared.has(timer))).toEqual([]);
  expect([log.length, timers.mock.calls.filter(([, delayMs]) => delayMs === 5_000)]).toEqual([1, []]);
  timers.mockClear();
  await tasks.add(recovery(email));
  expect(own()).toEqual([]);
});

test("Those whose password a move left behind get a link to choose one, and no one else does", async () => {
  const { sql } = await openAccounts();
  const people = {
    "moved@example.com": "now(), null, null",
    "unconfirmed@example.com": "null, null, null",
    "signed-in@example.com": "now(), 'hash', null",
    "banned@example.com": "now(), null, '2999-12-31'",
    "unasked@example.com": "now(), null, null",
  };
  for (const [who, values] of Object.entries(people))
    await sql.query(
      `insert into auth.users (id, email, email_confirmed_at, encrypted_password, banned_until)
       values ($1::text::uuid, $2, ${values})`,
      [randomUUID(), who],
    );
  const emails: Email[] = [];
  const send = async (sent: Email) => void emails.push(sent);
  const asked = ["nobody@example.com", ...Object.keys(people).slice(0, -1)];
  expect(await emailMovedPeople(sql, { siteUrl, readShop }, send, { emails: asked })).toEqual({ sent: 1 });
  expect(emails.map(({ to }) => to)).toEqual(["moved@example.com"]);
  expect(emails[0]?.text).toMatch(/type=recovery/);
  expect(emails[0]?.text).toContain("Our shop has moved");
  expect(await emailMovedPeople(sql, { siteUrl, readShop }, send, { emails: "moved@example.com" })).toEqual({
    sent: 0,
  });
});

test("The owner learns whether an account exists and is confirmed, and gets a password only for one that is", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  await accounts.send("signup", { email: "kofi@example.com", password });
  await accounts.settle();
  const ask = (who: string, isNew: unknown) => accounts.ownersAccount({ email: who, new_password: isNew });
  const [none, pending] = [
    { found: false, confirmed: false, password: null },
    { found: true, confirmed: false, password: null },
  ];
  expect(await ask("nobody@example.com", true)).toEqual(none);
  expect(await ask("not an address", true)).toEqual(none);
  expect(await ask("kofi@example.com", true)).toEqual(pending);
  for (const isNew of [false, undefined, "true"])
    expect(await ask(email, isNew)).toEqual({ found: true, confirmed: true, password: null });
  const given = await ask(" AMA@example.com", true);
  expect(given).toEqual({
    found: true,
    confirmed: true,
    password: expect.stringMatching(/^[\w-]{16}$/),
  });
});
