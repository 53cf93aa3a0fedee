import { createAccountsApi } from "../api/accounts/accounts-api.ts";
import type { AccountsSettings } from "../api/accounts/parts.ts";
import { type ApiMetrics, createApi } from "../api/api.ts";
import type { StoredFiles } from "../api/storage/stored-files.ts";
import { createUnmetDemand, noteLinesWithoutBook } from "../api/unmet-demand.ts";
import { callAsOwner } from "../database/call-as-owner.ts";
import type { Engine } from "../database/engine.ts";
import type { Sql } from "../database/sql.ts";
import { readShop } from "../emails/read-shop.ts";
import type { Secrets } from "../lib/secrets.ts";
import { guardBooklistCodes } from "./code-guesses.ts";
import { guardForms } from "./form-floods.ts";

/** Sign-ins to an account that is under attack come one at a time, this far apart. */
const signInPauseMs = 1_000;

/** Reads the shop's current values. */
export const shopIn = (sql: Sql) => () => readShop(callAsOwner(sql));

type ServiceParts = {
  engine: Engine;
  secrets: Secrets;
  files: StoredFiles;
  siteUrl: string;
  workers: number;
  log: (line: string) => void;
} & Pick<AccountsSettings, "sendEmail" | "lookEveryMs" | "leads" | "machines">;

/** What handles requests in a process: data, files and accounts over its own connections. */
export async function openServices({ engine, secrets, files, siteUrl, workers, ...parts }: ServiceParts) {
  const { sql, connections } = engine;
  const accounts = createAccountsApi({
    ...parts,
    sql,
    secrets,
    siteUrl,
    readShop: shopIn(sql),
    // Each worker lets its part of them through.
    signInPauseMs: signInPauseMs * workers,
  });
  const unmet = createUnmetDemand({ call: callAsOwner(sql), log: parts.log });
  const api = await createApi({
    sql,
    connections,
    secrets,
    siteUrl,
    files,
    workers,
    accounts: accounts.handle,
    guards: new Map([
      ...guardBooklistCodes(sql, secrets.jwtSecret),
      ...guardForms(sql, secrets.jwtSecret),
      ["match_book_lines", noteLinesWithoutBook(unmet.note)],
    ]),
    log: parts.log,
  }).catch(async (error) => {
    await Promise.all([accounts.stop(), unmet.stop()]);
    throw error;
  });
  return {
    api,
    noteUnmet: unmet.note,
    /** For the owner's command: looks up an account, or gives it a new password. */
    ownersAccount: accounts.ownersAccount,
    metrics: (): ApiMetrics => ({ ...api.metrics(), passwords: accounts.hashMetrics() }),
    close: async () => {
      await api.close();
      await unmet.stop();
      await accounts.stop();
    },
  };
}

export type Services = Awaited<ReturnType<typeof openServices>>;
