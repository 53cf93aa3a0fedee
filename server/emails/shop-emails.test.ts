import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Sql } from "../database/sql.ts";
import { readSettings } from "../lib/settings.ts";
import { startShopEmails } from "./shop-emails.ts";

/* Without a mail server; tests/contract/shop-emails.long.test.ts has one, and a database. */

const stock = { count: 1, books: [{ title: "Atlas", publisher: "Collins", left: 0 }] };
const email = {
  id: "11111111-1111-4111-8111-111111111111",
  lease: "22222222-2222-4222-8222-222222222222",
  kind: "low_stock",
  status: null,
  created_at: "2026-11-20T08:05:00+00:00",
  audience: "owner",
  order: null,
  stock,
  payment: null,
  quote: null,
};

test("An email is a file in the outbox, the same one when it is sent again, and is recorded", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "outbox-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const claimed: unknown[] = [email, email];
  const called: unknown[] = [];
  const query = async (text: string, values: unknown[]) => {
    if (text.includes("claim_email")) return [{ result: claimed.shift() ?? null }];
    called.push([/public\.(\w+)/.exec(text)?.[1], values]);
    return [{ result: null }];
  };
  const lines: string[] = [];
  const worker = startShopEmails(
    readSettings({ DATA_DIR: dataDir }),
    { query: query as Sql["query"] } as Sql,
    (line) => void lines.push(line),
  );
  await worker.settled();
  await worker.stop();
  expect(lines).toEqual([]);
  expect(called).toEqual([
    ["queue_low_stock_email", []],
    ["list_settings", []],
    ["record_sent_email", [email.id]],
    ["list_settings", []],
    ["record_sent_email", [email.id]],
  ]);
  const outbox = join(dataDir, "outbox");
  expect(await readdir(outbox)).toEqual(["2026-11-20T08-05-00.000Z-11111111.eml"]);
  expect(await readFile(join(outbox, "2026-11-20T08-05-00.000Z-11111111.eml"), "utf8")).toContain("Atlas");
});
