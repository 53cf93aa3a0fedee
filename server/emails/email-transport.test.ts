import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { type MailSettings, openEmailTransport } from "./email-transport.ts";

/** As long as a busy machine may take. */
const waitFor = (check: () => unknown, interval = 50) => eventually(check, { timeout: 10_000, interval });

const letter = {
  to: "ama@example.com",
  subject: "Akwaaba",
  text: "Price GH₵45.00\nhttp://shop.example/shop?a=b",
  html: "<p>Akwaaba</p>",
};

/** A mail server that keeps what it is given; `answer` is its response to a recipient, given the line and how many came before. */
async function startMailServer(
  respond = (_line: string, _earlier: number): string | undefined => undefined,
  greeting = "220 mail.example",
) {
  const mails: string[] = [];
  const recipients: string[] = [];
  const server = createServer((socket) => {
    let body: string[] | null = null;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say(greeting);
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
        } else if (line.startsWith("RCPT")) say(respond(line, recipients.push(line) - 1) ?? "250 fine");
        else if (line === "DATA") {
          body = [];
          say("354 go on");
        } else say(line === "QUIT" ? "221 bye" : "250 fine");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    mails,
    recipients,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
  };
}

async function newSettings(smtpUrl: string | null): Promise<MailSettings> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-mail-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return {
    dataDir,
    smtpUrl,
    mailFrom: "shop@shop.example",
    shopEmail: "hello@shop.example",
    readShop: async () => firstShop,
  };
}

function open(settings: MailSettings) {
  const lines: string[] = [];
  const emailTransport = openEmailTransport(settings, (line) => void lines.push(line));
  onTestFinished(() => emailTransport.stop());
  return { emailTransport, lines };
}

test("Without a mail server each email is a file in the outbox, readable only by its owner", async () => {
  const settings = await newSettings(null);
  const { emailTransport } = open(settings);
  await emailTransport.send(letter);
  await emailTransport.send({ ...letter, subject: "Second" });
  const names = (await readdir(join(settings.dataDir, "outbox"))).sort();
  expect(names).toHaveLength(2);
  const eml = await readFile(join(settings.dataDir, "outbox", names[0] ?? ""), "utf8");
  expect(eml).toContain("From: Adwene Books <shop@shop.example>");
  expect(eml).toContain("To: ama@example.com");
  expect(eml).toContain("Subject: Akwaaba");
});

test("With a mail server the email arrives there and leaves nothing behind", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  const { emailTransport, lines } = open(settings);
  await emailTransport.send(letter);
  await waitFor(() => expect(server.mails).toHaveLength(1));
  expect(server.mails[0]).toContain("Subject: Akwaaba");
  await waitFor(async () => expect(await readdir(join(settings.dataDir, "mail-queue"))).toEqual([]));
  expect(lines).toEqual([]);
});

test("Replies go to the shop, whoever the sender is", async () => {
  const replyTo = /^Reply-To: hello@shop\.example\r$/m;
  const settings = await newSettings(null);
  await open(settings).emailTransport.send(letter);
  const [name = ""] = await readdir(join(settings.dataDir, "outbox"));
  expect(await readFile(join(settings.dataDir, "outbox", name), "utf8")).toMatch(replyTo);
  const server = await startMailServer();
  await open(await newSettings(server.url)).emailTransport.send(letter);
  await waitFor(() => expect(server.mails).toHaveLength(1));
  expect(server.mails[0]).toMatch(replyTo);
});

test("A dead mail server delays no response, and the email is sent after a later start", async () => {
  const settings = await newSettings("smtp://127.0.0.1:1");
  const first = open(settings);
  await first.emailTransport.send(letter);
  await waitFor(() => expect(first.lines).toHaveLength(1));
  expect(first.lines[0]).toMatch(
    /^an email could not be delivered \((ESOCKET|ECONNECTION)\); retrying in 5 s$/,
  );
  await first.emailTransport.stop();
  expect(await readdir(join(settings.dataDir, "mail-queue"))).toHaveLength(1);
  const server = await startMailServer();
  open({ ...settings, smtpUrl: server.url });
  await waitFor(() => expect(server.mails).toHaveLength(1));
});

test("An email that the server rejects for good is put aside, does not delay others, and is logged without names", async () => {
  const server = await startMailServer((_, earlier) => (earlier === 0 ? "550 no such user" : undefined));
  const settings = await newSettings(server.url);
  const { emailTransport, lines } = open(settings);
  await emailTransport.send(letter);
  await emailTransport.send({ ...letter, to: "kofi@example.com" });
  await waitFor(() => expect(server.mails).toHaveLength(1));
  expect(server.mails[0]).toContain("To: kofi@example.com");
  await waitFor(async () =>
    expect(await readdir(join(settings.dataDir, "mail-queue"))).toEqual([expect.stringMatching(/\.failed$/)]),
  );
  expect(lines.join()).toMatch(/^an email was given up/);
  expect(lines.join()).not.toContain("ama@example.com");
});

test("A file in the queue that can't be read is put aside and does not delay others", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  const queue = join(settings.dataDir, "mail-queue");
  await mkdir(queue);
  await writeFile(join(queue, "2026-01-01.json"), '{"to": "ama@exa');
  const { emailTransport, lines } = open(settings);
  await emailTransport.send(letter);
  await waitFor(() => expect(server.mails.length).toBe(1));
  await waitFor(async () => expect(await readdir(queue)).toEqual(["2026-01-01.json.failed"]));
  expect(lines).toEqual([
    `an email is damaged and can't be sent; it stays in ${queue} as 2026-01-01.json.failed`,
  ]);
});

test("Only a recipient that the server refuses for now waits: earlier and later emails to others are sent", async () => {
  const server = await startMailServer((line) =>
    line.includes("stranger") ? "450 4.1.2 Domain not found" : undefined,
  );
  const settings = await newSettings(server.url);
  const { emailTransport, lines } = open(settings);
  await emailTransport.send({ ...letter, to: "stranger@nowhere.example" });
  for (const name of ["ama", "kofi", "esi", "yaw"])
    await emailTransport.send({ ...letter, to: `${name}@example.com` });
  await waitFor(() => expect(server.mails).toHaveLength(4));
  await waitFor(async () => expect(await readdir(join(settings.dataDir, "mail-queue"))).toHaveLength(1));
  expect(server.recipients.filter((line) => line.includes("stranger"))).toHaveLength(1);
  expect(lines).toEqual(["an email could not be delivered (EENVELOPE); retrying in 5 s"]);
});

test("A recipient that was refused for now is retried after a pause, which grows", async () => {
  const server = await startMailServer((_, earlier) => (earlier < 2 ? "450 try later" : undefined));
  const { emailTransport, lines } = open(await newSettings(server.url));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await emailTransport.send(letter);
  for (const [tries, seconds] of [
    [1, 5],
    [2, 30],
  ] as const) {
    await waitFor(() => expect(lines.at(tries - 1)).toContain(`retrying in ${seconds} s`));
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1_000);
    expect(server.recipients).toHaveLength(tries);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await waitFor(() => expect(server.mails).toHaveLength(1));
});

test("A server that is closing is offered one email per round, and the pauses grow", {
  tags: "long",
}, async () => {
  const server = await startMailServer(() => "421 closing");
  const settings = await newSettings(server.url);
  const first = open({ ...settings, smtpUrl: "smtp://127.0.0.1:1" });
  for (let n = 0; n < 3; n += 1) await first.emailTransport.send(letter);
  await first.emailTransport.stop();
  const { emailTransport, lines } = open(settings);
  await waitFor(() => expect(lines).toHaveLength(1));
  await emailTransport.send(letter);
  await waitFor(() => expect(lines).toHaveLength(2));
  expect(lines.map((line) => line.split("; ")[1])).toEqual(["retrying in 5 s", "retrying in 30 s"]);
  expect(server.recipients).toHaveLength(2);
});

test("200 emails while the mail server is down cause few attempts and few lines, and none is lost", async () => {
  const server = await startMailServer(() => "421 closing");
  const settings = await newSettings(server.url);
  const { emailTransport, lines } = open(settings);
  for (let n = 0; n < 200; n += 1) await emailTransport.send(letter);
  await waitFor(() => expect(lines.length).toBeGreaterThan(0));
  await emailTransport.stop();
  expect(server.recipients.length).toBeLessThan(10);
  expect(lines.length).toBeLessThan(10);
  expect(await readdir(join(settings.dataDir, "mail-queue"))).toHaveLength(200);
});

test("A new email passes a thousand that are waiting since the mail server was down", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  for (let n = 0; n < 1_000; n += 1)
    await putInQueue(settings, `2020-${1000 + n}.json`, waiting("late@example.com", 1));
  const { emailTransport } = open(settings);
  await waitFor(() => expect(server.mails.length).toBeGreaterThan(0), 5);
  await emailTransport.send({ ...letter, to: "now@example.com" });
  await waitFor(() => expect(server.recipients).toContain("RCPT TO:<now@example.com>"), 5);
  expect(server.recipients.length).toBeLessThan(300);
});

test("A new email is sent within seconds once the mail server works again, however long its pause is", async () => {
  let isDown = true;
  const server = await startMailServer(() => (isDown ? "421 closing" : undefined));
  const settings = await newSettings(server.url);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let n = 0; n < 6; n += 1) await putInQueue(settings, `${n}.json`, waiting("late@example.com", 0));
  const { emailTransport, lines } = open(settings);
  for (const [round, seconds] of [5, 30, 120, 600].entries()) {
    await waitFor(() => expect(lines).toHaveLength(round + 1));
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
  }
  await waitFor(() => expect(lines.at(-1)).toContain("retrying in 1800 s"));
  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.mails).toHaveLength(0);
  await emailTransport.send({ ...letter, to: "now@example.com" });
  await waitFor(() => expect(server.mails.length).toBeGreaterThan(0));
  expect(server.mails[0]).toContain("To: now@example.com");
});

test("A server that refuses every connection for good does not make any email fail", async () => {
  const server = await startMailServer(undefined, "554 no service for you");
  const settings = await newSettings(server.url);
  const { emailTransport, lines } = open(settings);
  await emailTransport.send(letter);
  await waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toBe("an email could not be delivered (EPROTOCOL); retrying in 5 s");
  expect(await readdir(join(settings.dataDir, "mail-queue"))).toEqual([expect.stringMatching(/\.json$/)]);
});

test("An email that is deleted while it waits for its next attempt is forgotten", async () => {
  const server = await startMailServer(() => "450 try later");
  const settings = await newSettings(server.url);
  const { emailTransport, lines } = open(settings);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await emailTransport.send(letter);
  await waitFor(() => expect(lines).toHaveLength(1));
  await rm(join(settings.dataDir, "mail-queue"), { recursive: true });
  // By then an idle connection is closed, too.
  await vi.advanceTimersByTimeAsync(60_000);
  await waitFor(() => expect(vi.getTimerCount()).toBe(0));
  expect(server.recipients).toHaveLength(1);
});

test("An address is one recipient, whatever commas, names and brackets it holds", async () => {
  const server = await startMailServer();
  const emailTransport = openEmailTransport(await newSettings(server.url), () => {});
  onTestFinished(emailTransport.stop);
  for (const to of ["ama@example.com, spy@example.com", "ama <spy@example.com>@example.com"]) {
    const earlier = [server.mails.length, server.recipients.length] as const;
    await emailTransport.send({ ...letter, to });
    await waitFor(() => expect(server.mails.length).toBe(earlier[0] + 1));
    const named = server.recipients.slice(earlier[1]);
    expect(named).toHaveLength(1);
    expect(named[0]).not.toMatch(/<(ama|spy)@example\.com>/);
  }
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test.each([
  ["outbox", null, /^\d{4}-\d\d-\d\dT\d\d-\d\d-[\d.]+Z-[0-9a-f]{8}\.eml$/],
  ["mail-queue", "smtp://127.0.0.1:1", /^\d{4}-\d\d-\d\dT\d\d-\d\d-[\d.]+Z-[0-9a-f]{8}\.json$/],
])(
  "The %s is created if missing, and only its owner can read it and its emails",
  async (name, smtpUrl, form) => {
    const settings = await newSettings(smtpUrl);
    const dataDir = join(settings.dataDir, "not", "yet");
    const { emailTransport } = open({ ...settings, dataDir });
    await emailTransport.send(letter);
    const [file = ""] = await readdir(join(dataDir, name));
    expect(file).toMatch(form);
    expect(await modeOf(join(dataDir, name))).toBe(0o700);
    expect(await modeOf(join(dataDir, name, file))).toBe(0o600);
  },
);

test("The outbox keeps the newest 500 emails, and files that are not emails", async () => {
  const settings = await newSettings(null);
  const folder = join(settings.dataDir, "outbox");
  await mkdir(folder);
  const old = Array.from({ length: 502 }, (_, n) => `2020-${1000 + n}.eml`);
  for (const name of [...old, "2019.txt"]) await writeFile(join(folder, name), "");
  await open(settings).emailTransport.send(letter);
  const names = (await readdir(folder)).sort();
  expect(names.slice(0, 3)).toEqual(["2019.txt", "2020-1003.eml", "2020-1004.eml"]);
  expect(names).toHaveLength(501);
});

test("An email has both its parts and standard line ends, wherever it is sent", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  await open(settings).emailTransport.send(letter);
  await open({ ...settings, smtpUrl: null }).emailTransport.send(letter);
  const [name = ""] = await readdir(join(settings.dataDir, "outbox"));
  await waitFor(() => expect(server.mails).toHaveLength(1));
  for (const eml of [await readFile(join(settings.dataDir, "outbox", name), "utf8"), server.mails[0] ?? ""]) {
    expect(eml.replaceAll("\r\n", "")).not.toContain("\n");
    expect(eml).toMatch(/text\/plain[\s\S]*GH=E2=82=B545\.00[\s\S]*text\/html[\s\S]*<p>Akwaaba<\/p>/);
  }
});

/** Puts an email into the queue as an earlier run of the shop left it. */
async function putInQueue(
  { dataDir }: MailSettings,
  name: string,
  content: object | string,
): Promise<string> {
  const folder = join(dataDir, "mail-queue");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}
const waiting = (to: string, hours: number) => ({
  to,
  from: "shop@shop.example",
  raw: `To: ${to}\r\n\r\nHello`,
  since: Date.now() - hours * 3_600_000,
});

test("An email undelivered for a day is put aside, with a log line that says where; one of 23 hours is not", async () => {
  const server = await startMailServer(() => "450 try later");
  const settings = await newSettings(server.url);
  const folder = await putInQueue(settings, "1.json", waiting("ama@example.com", 24.1));
  await putInQueue(settings, "2.json", waiting("kofi@example.com", 23));
  const { lines } = open(settings);
  await waitFor(() => expect(lines).toHaveLength(2));
  expect(lines).toEqual([
    `an email was given up (EENVELOPE, 450); it stays in ${folder} as 1.json.failed`,
    "an email could not be delivered (EENVELOPE); retrying in 5 s",
  ]);
  expect((await readdir(folder)).sort()).toEqual(["1.json.failed", "2.json"]);
});

test.each([
  [499, false],
  [500, true],
  [599, true],
])("A response of %i is permanent: %s", async (status, isForGood) => {
  const server = await startMailServer(() => `${status} so it is`);
  const settings = await newSettings(server.url);
  const folder = await putInQueue(settings, "1.json", waiting("ama@example.com", 0));
  const { lines } = open(settings);
  await waitFor(() => expect(lines).toHaveLength(1));
  expect(await readdir(folder)).toEqual([isForGood ? "1.json.failed" : "1.json"]);
});

test("Emails left by an earlier run are sent in order of arrival, and other files in the folder are not", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  const people = [..."abcdefghijkl"].map((name) => `${name}@example.com`);
  const folder = await putInQueue(settings, "0.json.failed", waiting("old@example.com", 0));
  for (const [n, to] of [...people.entries()].reverse())
    await putInQueue(settings, `${100 + n}.json`, waiting(to, 0));
  open(settings);
  await waitFor(async () => expect(await readdir(folder)).toEqual(["0.json.failed"]));
  expect(server.recipients).toEqual(people.map((to) => `RCPT TO:<${to}>`));
  expect(server.mails[0]).toBe("To: a@example.com\r\n\r\nHello");
});

test("A file in the queue that the system refuses to read delays no other, and is retried", async () => {
  const server = await startMailServer();
  const settings = await newSettings(server.url);
  await mkdir(join(settings.dataDir, "mail-queue", "1.json"), { recursive: true });
  await putInQueue(settings, "2.json", waiting("ama@example.com", 0));
  const { lines } = open(settings);
  await waitFor(() => expect(server.mails).toHaveLength(1));
  expect(lines).toEqual(["an email could not be delivered (EISDIR); retrying in 5 s"]);
});

test("An email whose file is deleted while the server accepts it counts as sent", async () => {
  const settings = await newSettings(null);
  const server = await startMailServer(() => void rmSync(join(settings.dataDir, "mail-queue", "1.json")));
  await putInQueue(settings, "1.json", waiting("ama@example.com", 0));
  const { lines, emailTransport } = open({ ...settings, smtpUrl: server.url });
  await waitFor(() => expect(server.mails).toHaveLength(1));
  await emailTransport.stop();
  expect(lines).toEqual([]);
});

test("Each waiting email is retried when its own pause is over, and a pause is half an hour at most", async () => {
  const server = await startMailServer(() => "450 try later");
  const settings = await newSettings(server.url);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await putInQueue(settings, "1.json", waiting("ama@example.com", 0));
  const { lines, emailTransport } = open(settings);
  const pauses = () => lines.map((line) => Number(/retrying in (\d+) s/.exec(line)?.[1]));
  await waitFor(() => expect(pauses()).toEqual([5]));
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(pauses()).toEqual([5, 30]));
  await emailTransport.send({ ...letter, to: "kofi@example.com" });
  await waitFor(() => expect(pauses()).toEqual([5, 30, 5]));
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(pauses()).toEqual([5, 30, 5, 30]));
  expect(server.recipients.map((line) => /<(\w+)@/.exec(line)?.[1])).toEqual(["ama", "ama", "kofi", "kofi"]);
  for (const seconds of [120, 600, 1800, 1800]) {
    await vi.advanceTimersByTimeAsync(1_800_000);
    await waitFor(() => expect(pauses().filter((each) => each === seconds).length).toBeGreaterThan(1));
  }
  expect(Math.max(...pauses())).toBe(1800);
});

test("A server that works again is offered all waiting emails, and its next failure starts with a short pause", async () => {
  const server = await startMailServer((_, earlier) => (earlier === 2 ? undefined : "421 closing"));
  const settings = await newSettings(server.url);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await putInQueue(settings, "1.json", waiting("ama@example.com", 0));
  await putInQueue(settings, "2.json", waiting("kofi@example.com", 0));
  const { lines } = open(settings);
  await waitFor(() => expect(lines).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(lines).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(30_000);
  // The open connection is replaced first, after a moment.
  await waitFor(async () => {
    await vi.advanceTimersByTimeAsync(100);
    expect(lines).toHaveLength(3);
  });
  expect(lines.map((line) => line.split("; ")[1])).toEqual([
    "retrying in 5 s",
    "retrying in 30 s",
    "retrying in 5 s",
  ]);
  expect(server.mails).toHaveLength(1);
});

test("Between two attempts the queue rests until the first pause is over", async () => {
  const server = await startMailServer(() => "450 try later");
  const settings = await newSettings(server.url);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await putInQueue(settings, "1.json", waiting("ama@example.com", 0));
  const opened = Number(vi.getMockedSystemTime());
  const { lines } = open(settings);
  await waitFor(() => expect([lines.length, vi.getTimerCount()]).toEqual([1, 1]));
  vi.advanceTimersToNextTimer();
  expect(Number(vi.getMockedSystemTime()) - opened).toBeGreaterThanOrEqual(5_000);
});

test("Once stopped, nothing is retried", async () => {
  const server = await startMailServer(() => "450 try later");
  const settings = await newSettings(server.url);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await putInQueue(settings, "1.json", waiting("ama@example.com", 0));
  const { lines, emailTransport } = open(settings);
  await waitFor(() => expect(lines).toHaveLength(1));
  await emailTransport.stop();
  // Closing the connection takes a moment; a retry would reach the mail server.
  await waitFor(() => expect(vi.getTimerCount()).toBe(0));
  await emailTransport.send(letter);
  await vi.advanceTimersByTimeAsync(60_000);
  await emailTransport.stop();
  expect([server.recipients.length, lines.length, vi.getTimerCount()]).toEqual([1, 1, 0]);
  expect(await readdir(join(settings.dataDir, "mail-queue"))).toHaveLength(2);
});

test("A queue that cannot be read is reported, and only that", async () => {
  const settings = await newSettings("smtp://127.0.0.1:1");
  await writeFile(join(settings.dataDir, "mail-queue"), "a file in place of the folder");
  const { lines, emailTransport } = open(settings);
  await waitFor(() => expect(lines).toEqual(["the mail queue cannot be read (ENOTDIR)"]));
  await emailTransport.stop();
});
