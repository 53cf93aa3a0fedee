import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";
import type { Settings } from "./settings.ts";

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether the shop shows its emails on a page: only while it is tried out on this machine, without a mail server. */
export function hasOutbox({
  siteUrl,
  smtpUrl,
  hosted,
}: Pick<Settings, "siteUrl" | "smtpUrl" | "hosted">): boolean {
  return !smtpUrl && !hosted && loopback.test(new URL(siteUrl).hostname);
}

/** The secret in the page's address, made once per data folder. */
export async function outboxKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "outbox-key");
  const stored = await readFile(path, "utf8").catch(() => "");
  if (stored.trim()) return stored.trim();
  const made = randomBytes(18).toString("base64url");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeDurably(path, `${made}\n`, 0o600);
  return made;
}

/** The page's full address; null when the page is off. */
export async function outboxAddress(
  settings: Pick<Settings, "siteUrl" | "smtpUrl" | "hosted" | "dataDir">,
): Promise<string | null> {
  return hasOutbox(settings) ? `${settings.siteUrl}/outbox?key=${await outboxKey(settings.dataDir)}` : null;
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
