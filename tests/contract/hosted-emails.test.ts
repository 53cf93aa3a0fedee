import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startHostedEmails } from "#server/hosted/emails.ts";
import { readSettings } from "#server/lib/settings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { hostedSettings, secretKey, startOwnProject } from "#tests/support/own-project.ts";

test("With the secret key and a mail server, the web process sends a hosted project's emails", async () => {
  const [project, mailServer] = [await startOwnProject(), await startMailServer()];
  const person = randomUUID();
  await project.sql.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
    person,
    "ama@school.example",
  ]);
  await project.sql.query(
    `with placed as (insert into public.orders (user_id, total_amount) values ($1, 5) returning id)
     insert into public.outgoing_emails (kind, event, order_id)
     select unnest(array['order_placed', 'new_order']), id::text, id from placed`,
    [person],
  );
  const settings = {
    ...hostedSettings(project.url),
    SUPABASE_SECRET_KEY: secretKey,
    SMTP_URL: mailServer.url,
  };
  const lines: string[] = [];
  const emails = startHostedEmails(readSettings({ ...settings, SHOP_EMAIL: "orders@shop.example" }), (line) =>
    lines.push(line),
  );
  onTestFinished(emails.stop);
  expect(emails.notices).toEqual([]);
  await eventually(
    async () =>
      expect(await project.sql.query("select distinct state from public.outgoing_emails")).toEqual([
        { state: "sent" },
      ]),
    { timeout: 30_000 },
  );
  const recipients = mailServer.mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]);
  expect(recipients.sort()).toEqual(["ama@school.example", "orders@shop.example"]);
  expect(lines).toEqual([]);
});

test("With a wrong key nothing is sent, and the log says so without the key", async () => {
  const [project, mailServer] = [await startOwnProject(), await startMailServer()];
  const settings = {
    ...hostedSettings(project.url),
    SUPABASE_SECRET_KEY: "sb_secret_wrong",
    SMTP_URL: mailServer.url,
  };
  const lines: string[] = [];
  const emails = startHostedEmails(readSettings(settings), (line) => lines.push(line));
  onTestFinished(emails.stop);
  await eventually(() => expect(lines).toHaveLength(1), { timeout: 30_000 });
  expect(lines[0]).toMatch(/^the shop's emails can't be read or recorded \(40\d\)$/);
});

test.each([
  ["the secret key", { SMTP_URL: "smtp://127.0.0.1:1" }],
  ["a mail server", { SUPABASE_SECRET_KEY: secretKey }],
])("Without %s one line says that emails are off", (_, settings) => {
  const { notices } = startHostedEmails(
    readSettings({ ...hostedSettings("http://127.0.0.1:1"), ...settings }),
    () => {},
  );
  expect(notices).toEqual([
    "Emails about orders are off: set SUPABASE_SECRET_KEY, SMTP_URL and MAIL_FROM to turn them on.",
  ]);
});
