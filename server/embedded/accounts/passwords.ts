import { createHmac } from "node:crypto";
import { AccountError } from "./answers.ts";
import { createHashThreads } from "./hash-threads.ts";

const minCharacters = 6;
/** bcrypt ignores the rest. */
const maxBytes = 72;
/** Salt and hash of a random password, compared when there is no hash, so that it takes as long. */
const nobodys = "i4LHdl/EVnrq6bjELu5j8uOZUa0Rz54dXSKbJiYCI1Hjn3yRGWQby";
/** How many threads hash. */
const atOnce = 2;
const maxWaiting = 200;

const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const bcrypts = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** @throws AccountError for a password that is too short or too long */
export function checkNewPassword(password: string): void {
  if (password.length < minCharacters) {
    throw new AccountError(422, "weak_password", `Password should be at least ${minCharacters} characters.`);
  }
  if (Buffer.byteLength(password) > maxBytes) {
    throw new AccountError(
      422,
      "weak_password",
      `Password should be at most ${maxBytes} bytes: ${maxBytes} plain letters, fewer with accents or emoji.`,
    );
  }
}

/** Runs only a few jobs at a time; the others wait in a queue. */
function createLine(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= most) {
      if (waiting.length >= maxWaiting) {
        throw new AccountError(503, "over_capacity", "The shop is busy. Please try again in a moment.", {
          "retry-after": "5",
        });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

const hashing = createHashThreads();

/**
 * Hashes with bcrypt, off the event loop and at a lower priority than request handling.
 * @param rounds bcrypt's cost, 4 to 31: each one more doubles the time of a hash
 */
export function createPasswords(secret: string, rounds = 10) {
  const inLine = createLine(atOnce);
  const prefix = `$2b$${String(rounds).padStart(2, "0")}$`;
  return {
    /**
     * The salt belongs to the address, so that the same password typed twice for it has the same hash: a repeated
     * sign-up can be told from someone else's.
     */
    hash(password: string, email: string): Promise<string> {
      const bytes = createHmac("sha256", secret).update(`salt ${email}`).digest().subarray(0, 16);
      const salt = bytes
        .toString("base64")
        .slice(0, 22)
        .replace(/./g, (letter) => bcrypts[standard.indexOf(letter)] ?? ".");
      return inLine(() => hashing<string>({ password, salt: prefix + salt }));
    },
    /** Takes just as long without a hash. A password that bcrypt would truncate never matches. */
    async matches(password: string, hash: string | null): Promise<boolean> {
      const isRight = await inLine(() => hashing<boolean>({ password, hash: hash || prefix + nobodys }));
      return isRight && Boolean(hash) && Buffer.byteLength(password) <= maxBytes;
    },
  };
}
