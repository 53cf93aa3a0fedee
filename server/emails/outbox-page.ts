import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasOutbox, isSame, outboxKey } from "../lib/outbox-key.ts";
import type { Settings } from "../lib/settings.ts";
import { outboxFolder } from "./email-transport.ts";

type OutboxEmail = { to: string; subject: string; date: string; text: string };

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** RFC 2047: `=?UTF-8?Q?…?=`, as nodemailer writes subjects that are not plain ASCII. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, form: string, word: string) =>
      form.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString("utf8")
        : decodeQuotedPrintable(word.replaceAll("_", " ")),
    );
}

/** Parses one of our own emails: headers, and the plain-text part. */
export function readOutboxEmail(eml: string): OutboxEmail {
  const end = eml.indexOf("\r\n\r\n");
  const head = eml.slice(0, end).replace(/\r\n[ \t]+/g, " ");
  const header = (name: string) =>
    decodeWords(new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? "");
  const plain = /content-type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(eml)?.[0] ?? "";
  const body = plain.slice(plain.indexOf("\r\n\r\n") + 4).replace(/\r\n--$/, "");
  const encoding = /content-transfer-encoding: (\S+)/i.exec(plain)?.[1]?.toLowerCase();
  const decoded = encoding === "base64" ? Buffer.from(body, "base64").toString("utf8") : body;
  return {
    to: header("To"),
    subject: header("Subject"),
    date: header("Date"),
    text: encoding === "quoted-printable" ? decodeQuotedPrintable(body) : decoded,
  };
}

const listNames = async (dataDir: string) =>
  (await readdir(outboxFolder(dataDir)).catch(() => [])).filter((name) => name.endsWith(".eml"));

const shown = 50;

/** The newest emails in a data folder's outbox, newest first. */
export async function listOutbox(dataDir: string): Promise<OutboxEmail[]> {
  const newest = (await listNames(dataDir)).sort().reverse().slice(0, shown);
  const read = async (name: string) =>
    readOutboxEmail(await readFile(join(outboxFolder(dataDir), name), "utf8"));
  return Promise.all(newest.map(read));
}

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const html = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);

function renderEmail(email: OutboxEmail): string {
  const text = html(email.text.trim()).replace(
    /https?:\/\/[^\s<]+/g,
    (link) => `<a href="${link}">${link}</a>`,
  );
  return `<article><h2>${html(email.subject)}</h2><p>To ${html(email.to)}, ${html(email.date)}</p><pre>${text}</pre></article>`;
}

function renderPage(emails: OutboxEmail[], total: number): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Outbox</title>
<style>
body { max-width: 42em; margin: 2em auto; padding: 0 1em; font: 17px/1.5 sans-serif; color: #1b1f1a; background: #fbf8f1 }
article { margin: 1em 0; padding: 1em; background: #fff; border: 1px solid #e3ded1; border-radius: 10px }
h2 { margin: 0; font-size: 20px } p { margin: 0; color: #565c52; overflow-wrap: anywhere } a { color: #14503a }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
</style>
</head>
<body>
<h1>Outbox</h1>
<p>No mail server is set, so the shop's emails stay on this machine. Set SMTP_URL to send them.</p>
${total > emails.length ? `<p>The newest ${emails.length} of ${total} emails. All are files in the folder "outbox" of DATA_DIR.</p>` : ""}
${emails.length === 0 ? "<p>No emails yet.</p>" : emails.map(renderEmail).join("\n")}
</body>
</html>
`;
}

/**
 * The page /outbox: the emails that would have been sent, with links that work. Null (the shop's 404) when a mail
 * server is set, with a hosted project, while SITE_URL is not this machine, and without the key that the start
 * prints. Nothing else in a request is trusted: a proxy on this machine can make any of it look local.
 */
export async function outboxPage(
  request: Request,
  settings: Pick<Settings, "dataDir" | "smtpUrl" | "hosted" | "siteUrl">,
): Promise<Response | null> {
  if (!hasOutbox(settings)) return null;
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const sentKey = new URL(request.url).searchParams.get("key") ?? "";
  if (!isSame(sentKey, await outboxKey(settings.dataDir))) return null;
  const total = (await listNames(settings.dataDir)).length;
  return new Response(renderPage(await listOutbox(settings.dataDir), total), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    },
  });
}
