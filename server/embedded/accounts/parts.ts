import type { Email } from "../../shared/mail-server.ts";
import type { Secrets } from "../secrets.ts";
import type { Sql } from "../sql.ts";
import type { Limits } from "./limits.ts";
import type { Passwords } from "./passwords.ts";
import type { Tasks } from "./tasks.ts";

/** What the accounts API is made of. */
export type AccountsSettings = {
  sql: Sql;
  secrets: Pick<Secrets, "jwtSecret">;
  /** The shop's origin: links in emails lead nowhere else. */
  siteUrl: string;
  /** Resolves when the email is safe, on its way or in the outbox. */
  sendEmail: (email: Email) => Promise<void>;
  /** Lines for the log, free of personal data. */
  log: (line: string) => void;
  /** Milliseconds, as Date.now(). */
  now?: () => number;
  /** A random delay before work that follows a response. */
  taskDelayMs?: [least: number, most: number];
  /** The pause between two sign-ins to an account that is under attack. */
  slowLaneMs?: number;
  /** bcrypt's cost, for tests that hash often. */
  passwordRounds?: number;
};

/** The same for the calls themselves. */
export type Context = Required<
  Omit<AccountsSettings, "sendEmail" | "taskDelayMs" | "slowLaneMs" | "passwordRounds">
> & {
  limits: Limits;
  passwords: Passwords;
  tasks: Tasks;
};

/** One request, its body read. */
export type Call = {
  request: Request;
  url: URL;
  clientIp: string;
  fields: Record<string, unknown>;
};
