import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { type AccountsApi, createAccountsApi } from "#server/api/accounts/accounts-api.ts";
import type { AccountsSettings } from "#server/api/accounts/parts.ts";
import type { Sql } from "#server/database/sql.ts";
import type { Email } from "#server/emails/mail-server.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { openSql } from "./test-server.ts";

export const siteUrl = "http://shop.example";
export const password = "a long password";
/** A shop in which no setting has been changed: these databases have accounts alone. */
export const readShop = async () => firstShop;

/** The accounts API over a database of its own, with a clock and a letter box that the test holds. */
export type Accounts = {
  sql: Sql;
  state: { now: number };
  emails: Email[];
  log: string[];
  /** How many passwords have been hashed since the last start. */
  hashMetrics: AccountsApi["hashMetrics"];
  /** Sends a JSON request; `token` is a session's. */
  send: (
    call: string,
    body?: unknown,
    options?: { method?: string; ip?: string; token?: string; signal?: AbortSignal },
  ) => Promise<{ status: number; body: Fields; headers: Headers }>;
  ownersAccount: AccountsApi["ownersAccount"];
  ask: (path: string, init?: RequestInit, ip?: string) => Promise<Response>;
  /** The link of the newest email to an address, once all work is done. */
  linkTo: (email: string) => Promise<string>;
  /** Follows a link as a person does, who presses the button. */
  follow: (link: string, ip?: string) => Promise<{ page: string; fragment: URLSearchParams }>;
  /** Does all work that waits. */
  settle: () => Promise<void>;
  /** Ends this API and starts another over the same database, as a restart does. */
  restart: () => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked at field by field
type Fields = Record<string, any>;

/** A confirmed account, signed in. */
export async function newAccount(accounts: Accounts, email: string, ip?: string) {
  await accounts.send("signup", { email, password }, { ip });
  await accounts.follow(await accounts.linkTo(email), ip);
  const { body } = await accounts.send("token?grant_type=password", { email, password }, { ip });
  return {
    email,
    id: body.user.id as string,
    token: body.access_token as string,
    refreshToken: body.refresh_token as string,
  };
}

/** The same operations; `note` gets the text of each statement. */
const noted = (sql: Sql, note: (text: string) => void): Sql => ({
  query: (text, values) => {
    note(text);
    return sql.query(text, values);
  },
  exec: (text) => {
    note(text);
    return sql.exec(text);
  },
  transaction: (work, time) => sql.transaction((inner) => work(noted(inner, note)), time),
});

/** @param settings without any, passwords are hashed as slowly as in the shop; otherwise at bcrypt's lowest cost */
export async function openAccounts(
  {
    note,
    ...settings
  }: Partial<Pick<AccountsSettings, "passwordRounds" | "hashPassword" | "taskDelayMs">> & {
    note?: (text: string) => void;
  } = { passwordRounds: 4 },
): Promise<Accounts> {
  const { sql, close } = await openSql("prepared");
  const secrets = { jwtSecret: randomBytes(32).toString("hex") };
  const state = { now: Date.now() };
  const emails: Email[] = [];
  const log: string[] = [];
  const start = () =>
    createAccountsApi({
      sql: note ? noted(sql, note) : sql,
      secrets,
      siteUrl,
      readShop,
      sendEmail: async (email) => void emails.push(email),
      log: (line) => log.push(line),
      now: () => state.now,
      taskDelayMs: [0, 0],
      signInPauseMs: 5,
      ...settings,
    });
  let api: AccountsApi = start();
  onTestFinished(async () => {
    await api.stop();
    await close();
  });

  const ask: Accounts["ask"] = (path, init, ip = "203.0.113.7") =>
    api.handle(new Request(siteUrl + path, init), ip);
  const settle = async () => {
    await api.stop();
    api = start();
  };
  return {
    sql,
    state,
    emails,
    log,
    hashMetrics: () => api.hashMetrics(),
    ownersAccount: (fields) => api.ownersAccount(fields),
    ask,
    settle,
    restart: settle,
    send: async (call, body, { method = body === undefined ? "GET" : "POST", ip, token, signal } = {}) => {
      const headers = {
        "content-type": "application/json",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      };
      const init = {
        method,
        headers,
        ...(signal ? { signal } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const answer = await ask(`/auth/v1/${call}`, init, ip);
      const text = await answer.text();
      return { status: answer.status, body: text ? JSON.parse(text) : {}, headers: answer.headers };
    },
    linkTo: async (email) => {
      await settle();
      const text = emails.findLast(({ to }) => to === email)?.text ?? "";
      return /https?:\/\/\S+verify\S+/.exec(text)?.[0] ?? "";
    },
    follow: async (link, ip) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await ask(link.slice(siteUrl.length), { method: "POST", headers }, ip);
      const landing = new URL(answer.headers.get("location") ?? "");
      return {
        page: landing.origin + landing.pathname,
        fragment: new URLSearchParams(landing.hash.slice(1)),
      };
    },
  };
}
