import type { Shop } from "#shared/owner/settings.ts";
import type { Sql } from "../../database/sql.ts";
import type { Email } from "../../emails/mail-server.ts";
import { networkOf } from "../../lib/network.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { AccountQueue } from "./account-queue.ts";
import type { Limits } from "./limits.ts";
import type { HashPassword, Passwords } from "./passwords.ts";
import type { Tasks } from "./tasks.ts";

/** What the accounts API is made of. */
export type AccountsSettings = {
  sql: Sql;
  secrets: Pick<Secrets, "jwtSecret">;
  /** The shop's origin: links in emails lead nowhere else. */
  siteUrl: string;
  /** The shop's name, for emails and the pages of their links. */
  readShop: () => Promise<Pick<Shop, "name">>;
  /** Resolves when the email is safe, on its way or in the outbox. Null leaves work after responses to another process. */
  sendEmail: ((email: Email) => Promise<void>) | null;
  /** How often to look for work that other processes have left; null where there are none. */
  lookEveryMs?: number | null;
  /** Whether this machine does the work after responses now; left out where there is no other one. */
  leads?: (() => boolean) | undefined;
  /** How many machines let sign-ins through; left out where there is one. */
  machines?: (() => Promise<number>) | undefined;
  /** Lines for the log, free of personal data. */
  log: (line: string) => void;
  /** Milliseconds, as Date.now(). */
  now?: () => number;
  /** A random delay before work that follows a response. */
  taskDelayMs?: [least: number, most: number];
  /** The pause between two sign-ins to an account that is being attacked. */
  signInPauseMs?: number;
  /** bcrypt's cost, for tests that hash often. */
  passwordRounds?: number;
  /** bcrypt, unless a test counts or holds its calls. */
  hashPassword?: HashPassword;
};

/** The same for the calls themselves. */
export type Context = Required<
  Omit<
    AccountsSettings,
    | "sendEmail"
    | "lookEveryMs"
    | "leads"
    | "machines"
    | "taskDelayMs"
    | "signInPauseMs"
    | "passwordRounds"
    | "hashPassword"
  >
> & {
  limits: Limits;
  /** Shares out the connections to the database among requests. */
  connections: AccountQueue;
  passwords: Passwords;
  tasks: Tasks;
};

/** What a request is in the queues before its network has been looked up. */
export const queueClient = ({ request, clientIp, sinceMs }: Call) => ({
  email: null,
  network: networkOf(clientIp),
  isKnownNetwork: false,
  sinceMs,
  signal: request.signal,
});

/** One request, its body read. */
export type Call = {
  request: Request;
  url: URL;
  clientIp: string;
  /** When it arrived, as performance.now(). */
  sinceMs: number;
  fields: Record<string, unknown>;
  /** The factor in the path; empty if there is none. */
  factorId: string;
};
