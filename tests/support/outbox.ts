import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const WAIT_MS = 30_000;

export type Mail = { to: string; subject: string; text: string; links: string[] };

/**
 * The newest mail to an address, waited for up to 30 s. `after` leaves out mails that were already there.
 * Reads the .eml files of DATA_DIR/outbox, quoted-printable or base64 as nodemailer writes them.
 */
export async function findMail(dataDir: string, to: string, after = 0): Promise<Mail> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const mails = (await listMails(dataDir)).filter((mail) => mail.to.includes(to));
    const newest = mails.at(-1);
    if (newest && mails.length > after) return newest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail to ${to} in the outbox after ${WAIT_MS / 1000} s`);
}

type Send = (input: string, init?: RequestInit) => Promise<Response>;

/**
 * Follows an email's link as a person does: opens it and clicks the page's button. Answers what the button leads to, or
 * what the link itself leads to if it redirects immediately: a link that is used up, and a hosted project's.
 */
export async function followLink(link: string | undefined, send: Send = fetch): Promise<Response> {
  if (!link) throw new Error("The email carries no link");
  const page = await send(link, { redirect: "manual" });
  if (page.status !== 200) return page;
  const action = /<form method="post" action="([^"]+)"/.exec(await page.text())?.[1];
  if (!action) throw new Error("The link's page has no button");
  return send(new URL(action.replaceAll("&amp;", "&"), link).href, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "",
  });
}

/** Emails by their file, which never changes: a whole run of the tests reads each once. */
const known = new Map<string, Mail>();

async function readOnce(file: string): Promise<Mail> {
  const mail = known.get(file) ?? readMail(await readFile(file, "utf8"));
  known.set(file, mail);
  return mail;
}

/** All mails of the outbox, oldest first. */
export async function listMails(dataDir: string): Promise<Mail[]> {
  const folder = join(dataDir, "outbox");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(names.map((name) => readOnce(join(folder, name))));
}

export function readMail(source: string): Mail {
  const header = (name: string) =>
    new RegExp(`^${name}:\\s*(.*(?:\\r?\\n[ \\t].*)*)`, "im")
      .exec(source)?.[1]
      ?.replace(/\r?\n[ \t]/g, " ") ?? "";
  const text = decodeParts(source);
  const links = [...text.matchAll(/https?:\/\/[^\s"<>)]+/g)].map(([link]) => link.replaceAll("&amp;", "&"));
  return { to: header("To"), subject: header("Subject"), text, links };
}

function decodeParts(source: string): string {
  // Not at any line that begins with --: a link's token may be broken there.
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  const parts = boundary ? source.split(`\n--${boundary}`) : [source];
  return parts
    .map((part) => {
      const body = part.replace(/^[\s\S]*?\r?\n\r?\n/, "");
      if (/content-transfer-encoding:\s*base64/i.test(part))
        return Buffer.from(body, "base64").toString("utf8");
      if (/content-transfer-encoding:\s*quoted-printable/i.test(part)) return decodeQuotedPrintable(body);
      return part;
    })
    .join("\n");
}

function decodeQuotedPrintable(body: string): string {
  const bytes = body
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
