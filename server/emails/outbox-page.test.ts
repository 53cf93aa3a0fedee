import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import { outboxAddress, outboxKey } from "../lib/outbox-key.ts";
import { openEmailTransport, outboxFolder } from "./email-transport.ts";
import { listOutbox, outboxPage, readOutboxEmail } from "./outbox-page.ts";

async function newOutbox() {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-outbox-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { dataDir, smtpUrl: null, hosted: null, siteUrl: "http://localhost:3000" };
  const post = openEmailTransport(
    {
      ...settings,
      mailFrom: "shop@shop.example",
      shopEmail: "hello@shop.example",
      readShop: async () => firstShop,
    },
    () => {},
  );
  const ask = async (changed = {}, key?: string, headers: Record<string, string> = {}) => {
    const address = await outboxAddress(settings);
    const request = new Request(
      key === undefined ? (address ?? "") : `http://localhost:3000/outbox?key=${key}`,
      {
        headers,
      },
    );
    return outboxPage(request, { ...settings, ...changed });
  };
  return { post, ask, dataDir, settings };
}

const link = "http://localhost:3000/auth/v1/verify?token=abc&type=signup&redirect_to=http%3A%2F%2Flocalhost";

test("The page shows the emails, newest first, with working links", async () => {
  const { post, ask } = await newOutbox();
  const text = `Akwaaba <b>Ama</b>, GH₵45.00\n\n${link}\n`;
  await post.send({ to: "ama@example.com", subject: "First – one", text, html: "<p>Hello</p>" });
  await post.send({ to: "kofi@example.com", subject: "Second", text: "Hello", html: "<p>Hello</p>" });
  const page = await (await ask())?.text();
  expect(page?.indexOf("Second")).toBeLessThan(page?.indexOf("First – one") ?? 0);
  expect(page).toContain(`<a href="${link.replaceAll("&", "&amp;")}">`);
  expect(page).toContain("Akwaaba &lt;b&gt;Ama&lt;/b&gt;, GH₵45.00");
});

test("The page shows the newest 50 of 500 emails, and says so", async () => {
  const { ask, dataDir } = await newOutbox();
  await mkdir(outboxFolder(dataDir), { recursive: true });
  for (let n = 0; n < 500; n += 1)
    await writeFile(join(outboxFolder(dataDir), `2026-${1_000 + n}.eml`), `Subject: Email ${n}\r\n\r\n`);
  const page = await (await ask())?.text();
  expect(page).toContain("The newest 50 of 500 emails.");
  expect(page?.match(/<article>/g)).toHaveLength(50);
  expect(page).toContain("Email 499<");
});

test("An empty outbox says so", async () => {
  const { ask } = await newOutbox();
  expect(await (await ask())?.text()).toContain("No emails yet.");
});

test.each([
  ["http://localhost:3000", true],
  ["http://127.0.0.1:3000", true],
  ["http://[::1]:3000", true],
  ["https://shop.example", false],
  ["http://localhost.shop.example", false],
  ["http://127.0.0.1.shop.example", false],
  ["http://192.168.0.7:3000", false],
])("With SITE_URL %s it opens: %s", async (siteUrl, opens) => {
  const { ask } = await newOutbox();
  expect((await ask({ siteUrl })) !== null).toBe(opens);
});

test("Without the key, or with another, the page does not exist, however local the request looks", async () => {
  const { ask } = await newOutbox();
  for (const key of ["", "a", "undefined", "%00"])
    expect(await ask({}, key, { host: "localhost:3000" })).toBeNull();
});

test("The key is readable only by its owner, and the same after a restart", async () => {
  const { dataDir } = await newOutbox();
  const key = await outboxKey(dataDir);
  expect(key.length).toBeGreaterThanOrEqual(24);
  expect((await stat(join(dataDir, "outbox-key"))).mode & 0o777).toBe(0o600);
  expect(await outboxKey(dataDir)).toBe(key);
});

test("The page is read-only: anything sent to it finds no such page", async () => {
  const { settings } = await newOutbox();
  const address = (await outboxAddress(settings)) ?? "";
  const statuses = [];
  for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE"])
    statuses.push((await outboxPage(new Request(address, { method }), settings))?.status);
  expect(statuses).toEqual([200, 200, undefined, undefined, undefined]);
});

test("With a mail server, or a hosted project, the page does not exist", async () => {
  const { ask } = await newOutbox();
  expect(await ask({ smtpUrl: "smtp://mail.example" })).toBeNull();
  expect(await ask({ hosted: { url: "https://p.example", publishableKey: "k" } })).toBeNull();
});

/** An email as nodemailer writes it: lines as the standard ends them. */
const eml = (...lines: string[]) => lines.join("\r\n");

test("An email is read with its headers decoded and unfolded, and its text unchanged", () => {
  const email = readOutboxEmail(
    eml(
      "From: Adwene Books <shop@shop.example>",
      "To: ama@example.com",
      "Subject: =?UTF-8?Q?Price_GH=E2=82=B545=2E00?=",
      " =?UTF-8?Q?_=E2=80=93_new?=",
      "Date: Sat, 21 Nov 2026",
      "\t10:00:00 +0000",
      'Content-Type: multipart/alternative; boundary="--b"',
      "",
      "----b",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Akwaaba =E2=82=B5 a long =",
      "line, a=3Db",
      "",
      "Bye",
      "----b",
      "Content-Type: text/html; charset=utf-8",
      "",
      "<p>Akwaaba</p>",
      "----b--",
    ),
  );
  expect(email).toEqual({
    to: "ama@example.com",
    subject: "Price GH₵45.00 – new",
    date: "Sat, 21 Nov 2026 10:00:00 +0000",
    text: "Akwaaba ₵ a long line, a=b\r\n\r\nBye",
  });
});

test("Base64 is read in headers and text, and encoded words of a subject may be in any case and beside plain ones", () => {
  const base64 = Buffer.from("Akwaaba ₵").toString("base64");
  const email = readOutboxEmail(
    eml(
      "to: kofi@example.com",
      `subject: Re: =?utf-8?b?${base64}?= =?utf-8?q?_a_b?= now`,
      "content-type: TEXT/PLAIN",
      "content-transfer-encoding: BASE64",
      "",
      base64,
    ),
  );
  expect(email).toEqual({
    to: "kofi@example.com",
    subject: "Re: Akwaaba ₵ a b now",
    date: "",
    text: "Akwaaba ₵",
  });
});

test("Plain text is left unchanged, and only the head of the email is searched for headers", () => {
  const email = readOutboxEmail(
    eml(
      "X-To: nobody",
      "Subject: a=3Db?=",
      "Content-Type: text/plain",
      "Content-Transfer-Encoding: 7bit",
      "",
      "a=3Db",
      "To: esi@example.com",
      "",
    ),
  );
  expect(email).toEqual({ to: "", subject: "a=3Db?=", date: "", text: "a=3Db\r\nTo: esi@example.com\r\n" });
});

test("An email without plain text has none", () => {
  const email = readOutboxEmail(eml("To: a@b.example", "Content-Type: text/html", "", "<p>a</p>"));
  expect(email).toMatchObject({ to: "a@b.example", text: "" });
});

test("The fifty newest are shown, and nothing that is not an email", async () => {
  const { ask, dataDir, post } = await newOutbox();
  expect(await listOutbox(dataDir)).toEqual([]);
  await mkdir(outboxFolder(dataDir));
  for (let n = 10; n < 62; n += 1)
    await writeFile(join(outboxFolder(dataDir), `2026-${n}.eml`), eml(`Subject: No ${n}.`, "", ""));
  await writeFile(join(outboxFolder(dataDir), "2027.eml.tmp"), eml("Subject: Half written", "", ""));
  const subjects = (await listOutbox(dataDir)).map(({ subject }) => subject);
  expect(subjects).toEqual(Array.from({ length: 50 }, (_, n) => `No ${61 - n}.`));
  const page = await (await ask())?.text();
  expect(page).toContain("</article>\n<article><h2>No 60.</h2>");
  expect(page).not.toContain("No emails yet.");
  await post.stop();
});

test("An email's parts are shown as text, whatever markup they hold, and only web addresses become links", async () => {
  const { post, ask } = await newOutbox();
  await post.send({
    to: '"a&b"@example.com',
    subject: 'Is 1 < 2 & "so" > 0?',
    text: "\n  See http://a.example/?b=1&c=2 and https://d.example/<b> or mail://e\n\n",
    html: "<p>Hello</p>",
  });
  const page = (await (await ask())?.text()) ?? "";
  expect(page).toContain("<h2>Is 1 &lt; 2 &amp; &quot;so&quot; &gt; 0?</h2>");
  expect(page).toMatch(
    /<p>To &lt;&quot;a&amp;b&quot;@example\.com&gt;, \w{3}, \d\d \w{3} \d{4} [\d:]+ \+0000<\/p>/,
  );
  expect(page).toContain(
    '<pre>See <a href="http://a.example/?b=1&amp;c=2">http://a.example/?b=1&amp;c=2</a> and ' +
      '<a href="https://d.example/&lt;b&gt;">https://d.example/&lt;b&gt;</a> or mail://e</pre>',
  );
});

test("The page runs no script, is never cached, and reveals its URL to no other site", async () => {
  const { ask } = await newOutbox();
  const { headers } = (await ask()) ?? new Response();
  expect(Object.fromEntries(headers)).toEqual({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
  });
});

test("A request without any key finds no page", async () => {
  const { settings } = await newOutbox();
  expect(await outboxPage(new Request("http://localhost:3000/outbox"), settings)).toBeNull();
});
