import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { outboxFolder } from "../mail.ts";
import type { Settings } from "../settings.ts";

/** A mail read back from the outbox. */
export type OutboxLetter = { to: string; subject: string; date: string; text: string };

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

/** Reads a mail of our own making: headers, and the part in plain text. */
export function readLetter(eml: string): OutboxLetter {
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

/** The mails of a data folder's outbox, the newest first. */
export async function listOutbox(dataDir: string): Promise<OutboxLetter[]> {
  const folder = outboxFolder(dataDir);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
  const newest = names.sort().reverse().slice(0, 50);
  return Promise.all(newest.map(async (name) => readLetter(await readFile(join(folder, name), "utf8"))));
}

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
const loopbackPeer = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** A request that somebody else's machine made arrives through a proxy, from another address, or for another name. */
function isFromThisMachine(request: Request, peerAddress: string): boolean {
  const forwarded = [...request.headers.keys()].some(
    (name) =>
      name === "forwarded" || name === "via" || name === "x-real-ip" || name.startsWith("x-forwarded-"),
  );
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const named = URL.canParse(`http://${host}`) && loopbackHosts.has(new URL(`http://${host}`).hostname);
  return !forwarded && named && loopbackPeer.test(peerAddress);
}

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const html = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);

function renderLetter(letter: OutboxLetter): string {
  const text = html(letter.text.trim()).replace(
    /https?:\/\/[^\s<]+/g,
    (link) => `<a href="${link}">${link}</a>`,
  );
  return `<article><h2>${html(letter.subject)}</h2><p>To ${html(letter.to)}, ${html(letter.date)}</p><pre>${text}</pre></article>`;
}

function renderPage(letters: OutboxLetter[]): string {
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
h2 { margin: 0; font-size: 20px } p { margin: 0; color: #565c52 } a { color: #14503a }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
</style>
</head>
<body>
<h1>Outbox</h1>
<p>No mail server is set, so the shop's mails stay on this machine. Set SMTP_URL to send them.</p>
${letters.length === 0 ? "<p>No mails yet.</p>" : letters.map(renderLetter).join("\n")}
</body>
</html>
`;
}

/**
 * The page /outbox: the mails that would have been sent, with links that work. Null (the shop's 404) when a mail
 * server is set, with a hosted project, and for anybody who does not sit at this machine.
 * @param peerAddress the address at the other end of the connection, not one that a header claims
 */
export async function outboxPage(
  request: Request,
  peerAddress: string,
  settings: Pick<Settings, "dataDir" | "smtpUrl" | "hosted">,
): Promise<Response | null> {
  if (settings.smtpUrl || settings.hosted || !isFromThisMachine(request, peerAddress)) return null;
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  return new Response(renderPage(await listOutbox(settings.dataDir)), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    },
  });
}
