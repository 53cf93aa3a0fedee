import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const WAIT_MS = 10_000;

export type Mail = { to: string; subject: string; text: string; links: string[] };

/**
 * The newest mail to an address, waited for up to 10 s. `after` leaves out mails that were already there.
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

/** All mails of the outbox, oldest first. */
export async function listMails(dataDir: string): Promise<Mail[]> {
  const folder = join(dataDir, "outbox");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(names.map(async (name) => readMail(await readFile(join(folder, name), "utf8"))));
}

function readMail(source: string): Mail {
  const header = (name: string) =>
    new RegExp(`^${name}:\\s*(.*(?:\\r?\\n[ \\t].*)*)`, "im")
      .exec(source)?.[1]
      ?.replace(/\r?\n[ \t]/g, " ") ?? "";
  const text = decodeParts(source);
  const links = [...text.matchAll(/https?:\/\/[^\s"<>)]+/g)].map(([link]) => link.replaceAll("&amp;", "&"));
  return { to: header("To"), subject: header("Subject"), text, links };
}

function decodeParts(source: string): string {
  const parts = source.split(/\r?\n(?=--)/);
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
