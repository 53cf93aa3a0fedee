import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../lib/durable-file.ts";

/** The first admin with a generated password, stored until it has been used. */
export type FirstAdmin = { email: string; password: string };

const fileOf = (dataDir: string) => join(dataDir, "first-admin.json");

/** Written before the account is created, so that a start that fails later can show it again. */
export const keepFirstAdmin = (dataDir: string, admin: FirstAdmin) =>
  writeDurably(fileOf(dataDir), `${JSON.stringify(admin)}\n`, 0o600);

/** Null when there is none, or the file is damaged. */
export async function readFirstAdmin(dataDir: string): Promise<FirstAdmin | null> {
  try {
    const { email, password } = JSON.parse(await readFile(fileOf(dataDir), "utf8")) as FirstAdmin;
    return { email, password };
  } catch {
    return null;
  }
}

export const forgetFirstAdmin = (dataDir: string) => rm(fileOf(dataDir), { force: true });
