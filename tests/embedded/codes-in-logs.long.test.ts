import { randomBytes, randomUUID } from "node:crypto";
import { chown, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { findAccount } from "#server/database/postgres/account.ts";
import { findBinaries } from "#server/database/postgres/binaries.ts";
import { addCodeTitle } from "#tests/support/digital-client.ts";
import {
  newDataDir,
  openEmbeddedShop,
  owner,
  removeFolder,
  signIn,
  signUp,
} from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { fillCart } from "#tests/support/factories.ts";
import { findInstalled, makeServer } from "#tests/support/owners-postgres.ts";
import { START_MS } from "#tests/support/shop-server.ts";

vi.setConfig({ testTimeout: 2 * START_MS });

/** An owner's PostgreSQL that logs as it does by default, but into a file. */
async function startLogging() {
  const dataDir = await mkdtemp(join(tmpdir(), "logging-postgres-"));
  const binaries = (await findInstalled()) ?? (await findBinaries(join(dataDir, "libraries")));
  const account = await findAccount([dataDir, dirname(binaries.postgres)]);
  const logs = join(dataDir, "logs");
  await mkdir(logs);
  if (account) await chown(logs, account.uid, account.gid);
  const server = await makeServer(
    { binaries, account, dataDir },
    join(dataDir, "database"),
    randomBytes(12).toString("hex"),
    { fsync: "off", logging_collector: "on", log_directory: logs, log_filename: "server.log" },
  );
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const readLog = async () => {
    const files = await readdir(logs);
    return (await Promise.all(files.map((file) => readFile(join(logs, file), "utf8")))).join("");
  };
  return { url: server.url, readLog };
}

test("no licence code is in an owner's PostgreSQL's log at its default settings, whatever fails", async () => {
  const { url, readLog } = await startLogging();
  const dataDir = await newDataDir();
  const shop = await openEmbeddedShop({ DATA_DIR: dataDir, DATABASE_URL: url, SHOP_DEMO: "0" });
  onTestFinished(async () => {
    await shop.stop();
    await removeFolder(dataDir);
  });
  const secret = (n: number) => `SECRET-${n}-${randomUUID()}`;
  const admin = (await signIn(shop, owner.email, owner.password)).client;
  const codes = [secret(1), secret(2)];
  const title = await addCodeTitle(admin, codes, { price: 0 });
  const refusals: (string | undefined)[] = [];
  const attempt = async (work: PromiseLike<{ error: { message: string } | null }>) =>
    refusals.push((await work).error?.message);
  const add = (_codes: unknown, _book_id: string = title.id) =>
    attempt(admin.rpc("add_licence_codes", { _book_id, _codes: _codes as string[] }));
  await add([secret(3).repeat(9)]);
  await add(secret(4));
  await add({ code: secret(5) });
  await add([secret(10), null]);
  await add([[secret(11)]]);
  await add([secret(6)], "no id");
  await add([secret(7)], randomUUID());
  await add([`${secret(8)}\u0000`]);
  const customer = await signUp(shop);
  await attempt(customer.client.rpc("add_licence_codes", { _book_id: title.id, _codes: [secret(9)] }));
  await fillCart(customer.client, title.id);
  const id = randomUUID();
  const order = { id, user_id: customer.id, total_amount: 0, status: "pending", delivery_method: "download" };
  expect((await customer.client.from("orders").insert(order)).error).toBeNull();
  const { data } = await customer.client.rpc("own_downloads", { _order_id: id });
  expect(JSON.stringify(data)).toContain(codes[0]);
  await attempt(admin.from("books").update({ kind: "book" }).eq("id", title.id).select("id"));
  expect(refusals.filter(Boolean).length).toBe(refusals.length);

  const sql = postgres(url, { max: 1 });
  await expect(sql`select the_log_is_read`).rejects.toThrow();
  await sql.end();
  await eventually(async () => expect(await readLog()).toContain("the_log_is_read"));
  const log = await readLog();
  expect(log).toContain("add_licence_codes");
  expect(log).not.toContain("SECRET");
});
