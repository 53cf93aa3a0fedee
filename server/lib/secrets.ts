import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";
import { StartError } from "./start-error.ts";

/** The embedded backend's own keys, made once per data folder. */
export type Secrets = {
  /** Signs the sessions' tokens. */
  jwtSecret: string;
  /** Sent to every browser. */
  publishableKey: string;
  /** Bypasses row level security; only for this machine's commands. */
  secretKey: string;
};

function makeKey(kind: "publishable" | "secret"): string {
  const body = `sb_${kind}_${randomBytes(24).toString("base64url")}`;
  return `${body}_${createHash("sha256").update(body).digest("base64url").slice(0, 8)}`;
}

export const makeSecrets = (): Secrets => ({
  jwtSecret: randomBytes(48).toString("base64url"),
  publishableKey: makeKey("publishable"),
  secretKey: makeKey("secret"),
});

/** Reads the keys of a data folder; null when there are none. */
export async function readSecrets(dataDir: string): Promise<Secrets | null> {
  const text = await readFile(join(dataDir, "secrets.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new StartError(`${join(dataDir, "secrets.json")} cannot be read (${error.code})`);
  });
  if (text === null) return null;
  try {
    const found = JSON.parse(text) as Secrets;
    if (found.jwtSecret && found.publishableKey && found.secretKey) return found;
  } catch {
    // Reported below: to the owner, a damaged file and an incomplete one are the same.
  }
  throw new StartError(`${join(dataDir, "secrets.json")} is damaged: restore it from a backup`);
}

/** Reads the keys, or creates them. */
export async function ensureSecrets(dataDir: string): Promise<Secrets> {
  const found = await readSecrets(dataDir);
  if (found) return found;
  const made = makeSecrets();
  await writeSecrets(dataDir, made);
  return made;
}

/** Gives a data folder its keys, readable only by the process's user. */
export async function writeSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await writeDurably(join(dataDir, "secrets.json"), `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
}
