import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { Connections } from "#server/database/connections.ts";
import { openDatabase, openServer } from "#server/database/engine.ts";
import { ensureSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { forgetFirstAdmin, keepFirstAdmin, readFirstAdmin } from "#server/shop/first-admin.ts";
import { clearFirstAttempt, isUnfinished, noteFirstAttempt } from "#server/shop/first-attempt.ts";
import { prepareFirstStart } from "#server/shop/first-start.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), "first-start-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("The first admin's password is readable by the folder's owner only, until it is deleted", async () => {
  const folder = await newFolder();
  const admin = { email: "admin@shop.invalid", password: "made up" };
  expect(await readFirstAdmin(folder)).toBeNull();
  await keepFirstAdmin(folder, admin);
  expect(await readFirstAdmin(folder)).toEqual(admin);
  expect((await stat(join(folder, "first-admin.json"))).mode & 0o777).toBe(0o600);
  await writeFile(join(folder, "first-admin.json"), "{");
  expect(await readFirstAdmin(folder)).toBeNull();
  await forgetFirstAdmin(folder);
  await forgetFirstAdmin(folder);
  expect(await readdir(folder)).toEqual([]);
});

test("A first attempt that is undone leaves nothing of its own, and what was there before", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "backups"));
  await writeFile(join(folder, "backups", "one.backup"), "");
  expect(await isUnfinished(folder)).toBe(false);
  const attempt = await noteFirstAttempt(folder);
  expect(await isUnfinished(folder)).toBe(true);
  for (const name of ["objects", "outbox", "mail-queue"]) await mkdir(join(folder, name));
  await writeFile(join(folder, "objects", "a"), "");
  await writeFile(join(folder, "secrets.json"), "{}");
  await writeFile(join(folder, "backend.sock"), "");
  await attempt.undo();
  expect(await readdir(folder)).toEqual(["backups"]);
  expect(await readdir(join(folder, "backups"))).toEqual(["one.backup"]);
});

test("A first attempt that was cut off is still unfinished at the next one; a finished one is cleared no more", async () => {
  const folder = await newFolder();
  await noteFirstAttempt(folder);
  await ensureSecrets(folder);
  const second = await noteFirstAttempt(folder);
  expect(await isUnfinished(folder)).toBe(true);
  await second.done();
  expect(await isUnfinished(folder)).toBe(false);
  await second.undo();
  expect(await readdir(folder)).toEqual(["secrets.json"]);
  const later = await noteFirstAttempt(folder);
  expect(await isUnfinished(folder)).toBe(false);
  await later.done();
  await later.undo();
  expect(await readdir(folder)).toEqual(["secrets.json"]);
  await clearFirstAttempt(folder);
  expect(await readdir(folder)).toEqual([]);
});

test("What a first start leaves when it is killed while it writes a file is removed, and nothing else", async () => {
  const folder = await newFolder();
  const left = ["first-start.unfinished", "secrets.json.5e1f.tmp", "database.password.5e1f.tmp"];
  const names = [...left, "database.password.once", "first-admin.json", "secrets.json.old", "notes.txt"];
  for (const name of names) await writeFile(join(folder, name), "");
  await clearFirstAttempt(folder);
  expect((await readdir(folder)).toSorted()).toEqual(["notes.txt", "secrets.json.old"]);
});

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
});
afterAll(() => api?.close());

/** A database without accounts, and what a first start needs. */
async function newShop() {
  const [{ sql }, dataDir] = [api, await newFolder()];
  await sql.exec(`
    set session_replication_role = replica;
    delete from public.user_roles;
    delete from public.profiles;
    delete from auth.users;
    drop table if exists private_shop.first_start;
    reset session_replication_role`);
  const secrets = await ensureSecrets(dataDir);
  const start = (env: NodeJS.ProcessEnv) =>
    prepareFirstStart(readSettings({ DATA_DIR: dataDir, SHOP_DEMO: "0", ...env }), sql, secrets);
  const admins = () =>
    sql.query(
      `select email, email_confirmed_at is not null as confirmed, raw_user_meta_data ->> 'full_name' as name, user_roles.role
         from auth.users join public.user_roles on user_id = users.id`,
    );
  return { sql, dataDir, start, admins };
}

test("A first start with ADMIN_EMAIL and ADMIN_PASSWORD makes that admin, once, and keeps no password", async () => {
  const { start, admins, dataDir, sql } = await newShop();
  const env = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "a long password" };
  expect(await start(env)).toEqual(["First admin: owner@example.com with the password of ADMIN_PASSWORD."]);
  const admin = { email: "owner@example.com", confirmed: true, name: "Shop admin", role: "admin" };
  expect(await admins()).toEqual([admin]);
  expect(await start({ ...env, ADMIN_EMAIL: "other@example.com", SHOP_DEMO: "1" })).toEqual([]);
  expect(await admins()).toEqual([admin]);
  expect(await readFirstAdmin(dataDir)).toBeNull();
  // A shop that began without the demo never gets it.
  expect(await sql.query("select from public.books")).toEqual([]);
});

test("A generated password is shown at each start until it has been used", async () => {
  const { start, admins, sql, dataDir } = await newShop();
  const [line = "", ...others] = await start({});
  expect(line).toMatch(
    /^First admin: admin@shop\.invalid, password [\w-]{16} \(shown until they have signed in\)\.$/,
  );
  expect(others).toEqual([]);
  expect(await admins()).toMatchObject([{ email: "admin@shop.invalid", role: "admin" }]);
  expect(await start({})).toEqual([line]);
  await sql.query("update auth.users set last_sign_in_at = now()");
  expect(await start({})).toEqual([]);
  expect(await readFirstAdmin(dataDir)).toBeNull();
});

test("An interrupted first start is completed: the admin has the password that is shown", async () => {
  const { start, sql } = await newShop();
  await start({});
  const hash = async () =>
    (await sql.query<{ hash: string }>("select encrypted_password as hash from auth.users"))[0]?.hash;
  const before = await hash();
  await sql.exec(
    "delete from private_shop.first_start where task = 'admin'; delete from public.user_roles where false",
  );
  await start({});
  expect(await hash()).not.toBe(before);
  expect(await sql.query("select from auth.users")).toHaveLength(1);
});

test.each([
  ["postgres://postgres@127.0.0.1:1/shop", "no server answers there"],
  ["postgres://postgres@no-such-host.invalid:5432/shop", "the host does not exist"],
])("A database that cannot be used is refused in one line: %s", async (url, why) => {
  await expect(openServer(url)).rejects.toThrow(`The database of DATABASE_URL cannot be used: ${why}`);
  await expect(openDatabase({ dataDir: "", databaseUrl: url }, () => {})).rejects.toThrow(why);
});

/** A server that refuses every connection with this code, as PostgreSQL words it. */
async function startRefusing(code: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mrefused\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([Buffer.from("E"), length, fields])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `postgres://owner:secret@127.0.0.1:${(server.address() as AddressInfo).port}/shop`;
}

test.each([
  ["28P01", "the user or password is wrong"],
  ["28000", "the user or password is wrong"],
  ["3D000", "the database does not exist"],
  ["53300", "53300"],
])("A server's refusal %s is reported in one line, without the password: %s", async (code, why) => {
  const url = await startRefusing(code);
  await expect(openServer(url)).rejects.toThrow(
    new RegExp(`^The database of DATABASE_URL cannot be used: ${why}$`),
  );
});

/** Connections to a server that answers this, or fails so. */
function answering(use: () => Promise<unknown>) {
  const end = vi.fn(async () => {});
  const opened = vi.spyOn(Connections, "to").mockReturnValue({ use, end } as unknown as Connections);
  onTestFinished(() => opened.mockRestore());
  return { end };
}

test("A server before version 15 is refused, and no connection to it is left", async () => {
  const { end } = answering(async () => [{ version: 149_999 }]);
  await expect(openServer("postgres://localhost/shop")).rejects.toThrow(
    /^The database of DATABASE_URL is PostgreSQL 14: 15 or newer is needed$/,
  );
  expect(end).toHaveBeenCalledOnce();
});

test("A server of version 15 is opened, and closed with its connections", async () => {
  const { end } = answering(async () => [{ version: 150_000 }]);
  const { close } = await openServer("postgres://localhost/shop");
  expect(end).not.toHaveBeenCalled();
  await close();
  expect(end).toHaveBeenCalledOnce();
});

test.each([
  [{ code: "CONNECT_TIMEOUT" }, "it does not answer"],
  [{ code: "EAI_AGAIN" }, "the host does not exist"],
  [{ message: "no words" }, "no words"],
  [{}, "unknown reason"],
])("The reason why a server can't be used is reported: %j", async (error, why) => {
  const { end } = answering(() => Promise.reject(error));
  await expect(openServer("postgres://localhost/shop")).rejects.toThrow(
    new RegExp(`^The database of DATABASE_URL cannot be used: ${why}$`),
  );
  expect(end).toHaveBeenCalledOnce();
});
