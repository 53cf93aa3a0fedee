import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type MailSettings, openPost } from "./mail.ts";

const letter = {
  to: "ama@example.com",
  subject: "Akwaaba",
  text: "Price GH₵45.00\nhttp://shop.example/shop?a=b",
  html: "<p>Akwaaba</p>",
};

/** A mail server that keeps what it is given; `answers` are its words to a recipient, one after another. */
async function startMailServer(answers: string[] = []) {
  const mails: string[] = [];
  let recipients = 0;
  const server = createServer((socket) => {
    let body: string[] | null = null;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 mail.example");
    let pending = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const lines = (pending + chunk).split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) {
        if (body && line !== ".") body.push(line);
        else if (body) {
          mails.push(body.join("\r\n"));
          body = null;
          say("250 kept");
        } else if (line.startsWith("RCPT")) say(answers[recipients++] ?? "250 fine");
        else if (line === "DATA") {
          body = [];
          say("354 go on");
        } else say(line === "QUIT" ? "221 bye" : "250 fine");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { mails, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true` };
}

async function newSettings(smtpUrl: string | null): Promise<MailSettings> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-mail-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, smtpUrl, mailFrom: "shop@shop.example" };
}

function open(settings: MailSettings) {
  const lines: string[] = [];
  const post = openPost(settings, (line) => void lines.push(line));
  onTestFinished(() => post.stop());
  return { post, lines };
}

test("Without a mail server each mail is a file in the outbox, readable by its owner alone", async () => {
  const settings = await newSettings(null);
  const { post } = open(settings);
  await post.send(letter);
  await post.send({ ...letter, subject: "Second" });
  const names = (await readdir(join(settings.dataDir, "outbox"))).sort();
  expect(names).toHaveLength(2);
  const eml = await readFile(join(settings.dataDir, "outbox", names[0] ?? ""), "utf8");
  expect(eml).toContain("From: Adwene Books <shop@shop.example>");
  expect(eml).toContain("To: ama@example.com");
  expect(eml).toContain("Subject: Akwaaba");
});

test("With a mail server the mail arrives there and leaves nothing behind", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  const { post } = open(settings);
  await post.send(letter);
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 5_000 });
  expect(server.mails[0]).toContain("Subject: Akwaaba");
  await vi.waitFor(async () => expect(await readdir(join(settings.dataDir, "mail-queue"))).toEqual([]));
});

test("A dead mail server delays no answer, and the mail goes out after a later start", async () => {
  const settings = await newSettings("smtp://127.0.0.1:1");
  const first = open(settings);
  await first.post.send(letter);
  await vi.waitFor(() => expect(first.lines).toHaveLength(1), { timeout: 5_000 });
  expect(first.lines[0]).toMatch(
    /^a mail could not be delivered \((ESOCKET|ECONNECTION)\); next try in 5 s$/,
  );
  await first.post.stop();
  expect(await readdir(join(settings.dataDir, "mail-queue"))).toHaveLength(1);
  const server = await startMailServer();
  open({ ...settings, smtpUrl: server.url });
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 5_000 });
});

test("A mail that the server refuses for good is put aside, does not hold up others, and is told without names", async () => {
  const server = await startMailServer(["550 no such user"]);
  const settings = await newSettings(server.url);
  const { post, lines } = open(settings);
  await post.send(letter);
  await post.send({ ...letter, to: "kofi@example.com" });
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 5_000 });
  expect(server.mails[0]).toContain("To: kofi@example.com");
  expect(await readdir(join(settings.dataDir, "mail-queue"))).toEqual([expect.stringMatching(/\.failed$/)]);
  expect(lines.join()).toMatch(/^a mail was given up/);
  expect(lines.join()).not.toContain("ama@example.com");
});
