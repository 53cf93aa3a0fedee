import { createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "../../lib/refusal.ts";
import { createAccountQueue, type QueueClient } from "./account-queue.ts";
import type { HashJob } from "./hash-thread.ts";
import { createHashThreads } from "./hash-threads.ts";

const minCharacters = 6;
/** bcrypt ignores the rest. */
const maxBytes = 72;

/** Their priority is lower than that of the threads that handle requests. */
const maxThreads = 2;

const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const bcrypts = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * The form of a password that is hashed: keyboards type é as one character or as an e with an accent, and whoever types
 * it can't see which.
 */
const hashedForm = (typed: string) => typed.normalize("NFC");

/** @throws Refusal for a password that is too short or too long */
export function checkNewPassword(typed: string): void {
  const password = hashedForm(typed);
  if (password.length < minCharacters) {
    throw new Refusal(422, "weak_password", `Password should be at least ${minCharacters} characters.`);
  }
  if (Buffer.byteLength(password) > maxBytes) {
    throw new Refusal(
      422,
      "weak_password",
      `Password should be at most ${maxBytes} bytes: ${maxBytes} plain letters, fewer with accents or emoji.`,
    );
  }
}

/** The salt of a stored hash with its algorithm and cost; null if bcrypt can't read it. */
const saltOf = (hash: string | null): string | null =>
  /^(\$2[ab]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{22})[./A-Za-z0-9]{31}$/.exec(hash ?? "")?.[1] ?? null;

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Who a password is hashed for. */
type HashClient = QueueClient & { email: string };

export type Passwords = ReturnType<typeof createPasswords>;

export type HashPassword = (job: HashJob) => Promise<string>;

const threads: HashPassword = createHashThreads();

/**
 * Hashes with bcrypt, off the event loop and at a lower priority than request handling.
 * @param rounds bcrypt's cost, 4 to 31: each one more doubles the time of a hash
 */
export function createPasswords(secret: string, rounds = 10, hashPassword = threads) {
  const queue = createAccountQueue(maxThreads);
  const prefix = `$2b$${String(rounds).padStart(2, "0")}$`;

  /**
   * The salt belongs to the address, so that the same password typed twice for it has the same hash: a repeated
   * sign-up can be distinguished from someone else's.
   */
  function saltFor(email: string): string {
    const bytes = createHmac("sha256", secret).update(`salt ${email}`).digest().subarray(0, 16);
    const salt = bytes
      .toString("base64")
      .slice(0, 22)
      .replace(/./g, (letter) => bcrypts[standard.indexOf(letter)] ?? ".");
    return prefix + salt;
  }

  const hashInTurn = (client: HashClient, password: string, like: string | null) =>
    queue.run(client, () => hashPassword({ password, salt: saltOf(like) ?? saltFor(client.email) }));

  return {
    metrics: queue.metrics,
    /** The hash to store for a new password, without waiting: for the shop itself. */
    hash: (password: string, email: string) =>
      hashPassword({ password: hashedForm(password), salt: saltFor(email) }),
    /**
     * The hash to store for a customer's new password.
     * @param like a stored hash whose salt it uses, so that a sign-in compares with both in one go
     * @throws Refusal 503 when there are too many, or the client has disconnected
     */
    hashFor: (client: HashClient, password: string, like: string | null = null) =>
      hashInTurn(client, hashedForm(password), like),
    /**
     * Hashes a password with a stored hash's salt. Takes just as long without one. A password typed with decomposed
     * accents is hashed twice, whatever the first hash is: earlier versions have stored the hash of the typed form.
     * @returns whether a stored hash with that salt is the password's
     * @throws Refusal 503 when there are too many, or the client has disconnected
     */
    async check(
      client: HashClient,
      password: string,
      stored: string | null,
    ): Promise<(stored: string | null) => boolean> {
      const hashes: string[] = [];
      for (const form of new Set([hashedForm(password), password])) {
        const hash = await hashInTurn(client, form, stored);
        // bcrypt would truncate a longer password.
        if (Buffer.byteLength(form) <= maxBytes) hashes.push(hash);
      }
      return (other) => other !== null && hashes.some((hash) => isSame(hash, other));
    },
  };
}
