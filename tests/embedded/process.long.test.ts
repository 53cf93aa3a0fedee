import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { outboxFolder, queueFolder } from "#server/emails/email-transport.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { eventually } from "#tests/support/eventually.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { ADMIN, type ShopServer, START_MS } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import { clientOf, newCustomer, newFolder, ownerOf, password } from "./shop-folder.ts";

/* One shop per folder, ended and started again when it should be. */

test("Data survives a restart, nothing of the first start happens again, and the first admin is an admin", async () => {
  const folder = await newFolder("empty");
  const first = await folder.open();
  await newCustomer(first, folder, "ama@example.com");
  const { publishableKey } = first;
  await first.stop();
  expect(first.notices).toEqual([`First admin: ${ADMIN.email} with the password of ADMIN_PASSWORD.`]);
  const second = await folder.open();
  expect(second.publishableKey).toBe(publishableKey);
  expect([...folder.lines, ...second.notices]).toEqual([]);
  for (const [email, role] of [
    ["ama@example.com", "user"],
    [ADMIN.email, "admin"],
  ] as const) {
    const client = clientOf(second);
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    expect(error).toBeNull();
    const found = await client.rpc("get_user_role", { _user_id: data.user?.id ?? "" });
    expect([email, found.data]).toEqual([email, role]);
  }
});

test("A second shop in the same folder is refused in one line that names the first", async () => {
  const folder = await newFolder();
  await folder.open();
  const pid = await folder.pid();
  await expect(folder.open()).rejects.toThrow(
    `The data folder ${folder.dataDir} is in use by process ${pid}`,
  );
});

test("The lock of a process that has ended is taken over, even if its id has been reused", async () => {
  const folder = await newFolder();
  const ours = { pid: process.pid, startedAt: "another time", parentPid: process.ppid };
  await writeFile(join(folder.dataDir, "backend.lock"), JSON.stringify(ours));
  const backend = await folder.open();
  expect(await backend.ready()).toBe(true);
});

test("A start deletes emails that were half written when the power failed, and no others", async () => {
  const folder = await newFolder();
  for (const [place, name] of [
    [outboxFolder(folder.dataDir), "2026.eml"],
    [queueFolder(folder.dataDir), "2026.json"],
  ] as const) {
    await mkdir(place, { recursive: true });
    for (const file of [name, `${name}.5f0c.tmp`]) await writeFile(join(place, file), "To: ama@example.com");
  }
  await folder.open();
  expect(await readdir(outboxFolder(folder.dataDir))).toContain("2026.eml");
  for (const place of [outboxFolder(folder.dataDir), queueFolder(folder.dataDir)])
    expect((await readdir(place)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  // Without a mail server nothing sends it.
  expect(await readdir(queueFolder(folder.dataDir))).toEqual(["2026.json"]);
});

test("A folder of emails that cannot be read does not keep the shop from starting", async () => {
  const folder = await newFolder();
  await writeFile(queueFolder(folder.dataDir), "no folder");
  const backend = await folder.open();
  expect(await backend.ready()).toBe(true);
  expect(folder.lines.join("\n")).toContain("unfinished emails could not be deleted (ENOTDIR)");
});

const waitOptions = { timeout: 90_000, interval: 50 };

/** The first process of the folder's database. */
async function databaseOf(dataDir: string): Promise<number> {
  const first = (await findProcesses(serverName(dataDir))).find((one) => one.first);
  if (!first) throw new Error("The database is not running");
  return first.pid;
}

describe("A shop whose process ends or hangs", () => {
  const key = "0123456789abcdef";
  let shop: ShopServer;
  beforeAll(async () => {
    shop = await startPreparedShop("empty", { METRICS_KEY: key, NODE_OPTIONS: "--inspect-port=0" });
  }, START_MS);
  afterAll(() => shop?.stop());

  const pid = async (): Promise<number> =>
    JSON.parse(await readFile(join(shop.dataDir, "backend.lock"), "utf8")).pid;
  const untilReplaced = (before: number) =>
    eventually(async () => {
      expect(await pid()).not.toBe(before);
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
    }, waitOptions);

  /** Has the shop's process execute an expression, as a debugger can. */
  async function evaluate(expression: string): Promise<void> {
    const before = shop.output().length;
    process.kill(await pid(), "SIGUSR1");
    const address = await eventually(
      () => /ws:\/\/\S+/.exec(shop.output().slice(before))?.[0] ?? false,
      waitOptions,
    );
    const debug = new WebSocket(address);
    await new Promise((resolve) => debug.addEventListener("open", resolve));
    debug.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } }));
    // A process that ends waits for its debugger to leave.
    debug.close();
  }

  test("is started again after a kill, says so, and counts it, on the database that went on; requests that are sent again succeed", async () => {
    const before = await pid();
    const database = await databaseOf(shop.dataDir);
    process.kill(before, "SIGKILL");
    await untilReplaced(before);
    expect(await databaseOf(shop.dataDir)).toBe(database);
    const { publishableKey = "" } = (await readSecrets(shop.dataDir)) ?? {};
    const books = await fetch(`${shop.url}/rest/v1/books?select=id`, { headers: { apikey: publishableKey } });
    expect(books.status).toBe(200);
    expect(shop.output()).toContain("The shop ended unexpectedly (SIGKILL); it is starting again");
    const metrics = await fetch(`${shop.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
    expect(await metrics.text()).toContain("shop_restarts_total 1");
    expect([shop.process.exitCode, shop.process.signalCode]).toEqual([null, null]);
  });

  test("is started again after an error that no code catches, with a line that names no one", async () => {
    const before = await pid();
    await evaluate("setTimeout(() => { throw new RangeError('ama@example.com'); })");
    await untilReplaced(before);
    expect(shop.output()).toContain("unexpected RangeError; starting again");
    expect(shop.output()).not.toContain("ama@example.com");
  });

  test("is ended after half a minute in which it does nothing else and started again, and the requests that waited are cut off", async () => {
    const before = await pid();
    // Like an endless loop, without one's work for the processor.
    await evaluate("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)");
    const waited = fetch(`${shop.url}/healthz`).then(
      ({ status }) => status,
      () => "cut off",
    );
    await untilReplaced(before);
    expect(await waited).toBe("cut off");
    expect(shop.output()).toContain("The shop ended unexpectedly (no answer for 30 s); it is starting again");
  });
});

describe("A database that has gone on without the shop's first process", () => {
  async function killedOnce() {
    const folder = await newFolder();
    const shop = await folder.serve();
    const database = await databaseOf(folder.dataDir);
    const before = await folder.pid();
    process.kill(before, "SIGKILL");
    await eventually(async () => {
      expect(await folder.pid()).not.toBe(before);
      expect(await shop.ready()).toBe(true);
    }, waitOptions);
    expect(await databaseOf(folder.dataDir)).toBe(database);
    return { folder, shop, database };
  }
  const untilEnded = (pid: number) =>
    eventually(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), waitOptions);

  test("is shut down with the shop", async () => {
    const { folder, shop } = await killedOnce();
    await shop.stop();
    expect(shop.process.exitCode).toBe(0);
    expect(await findProcesses(serverName(folder.dataDir))).toEqual([]);
    await expect(stat(join(folder.dataDir, "database/postmaster.pid"))).rejects.toThrow("ENOENT");
  });

  test("is started again when it is killed itself", async () => {
    const { folder, shop, database } = await killedOnce();
    process.kill(database, "SIGKILL");
    await eventually(async () => {
      expect(await databaseOf(folder.dataDir)).not.toBe(database);
      expect(await shop.ready()).toBe(true);
    }, waitOptions);
  });

  test("outlives the process that watches the shop until the shop has answered, and then ends", async () => {
    const { folder, shop, database } = await killedOnce();
    const socket = connect(Number(new URL(shop.url).port), "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    // Under way for as long as a shop that stops waits: its body never ends.
    socket.write("POST /rest/v1/rpc/find_booklist HTTP/1.1\r\nHost: shop\r\nContent-Length: 10\r\n\r\n{");
    await eventually(async () => expect(await shop.ready()).toBe(true), waitOptions);
    const startedAt = performance.now();
    shop.process.kill("SIGKILL");
    await untilEnded(database);
    expect(performance.now() - startedAt).toBeGreaterThan(4_000);
    expect(await findProcesses(serverName(folder.dataDir))).toEqual([]);
  });

  test("is shut down when all processes of the shop are killed at once", async () => {
    const { folder, shop, database } = await killedOnce();
    for (const pid of [shop.process.pid ?? 0, await folder.pid()]) process.kill(pid, "SIGKILL");
    await untilEnded(database);
  });

  test("is ended and started again by the next process when it does not respond", async () => {
    const { folder, shop, database } = await killedOnce();
    const before = await folder.pid();
    process.kill(database, "SIGSTOP");
    process.kill(before, "SIGKILL");
    await eventually(async () => {
      expect(await folder.pid()).not.toBe(before);
      expect(await shop.ready()).toBe(true);
    }, waitOptions);
    expect(await databaseOf(folder.dataDir)).not.toBe(database);
  });
});

test("When the process that watches the shop is killed, the shop ends and releases the folder", async () => {
  const folder = await newFolder();
  const shop = await folder.serve();
  const orphan = await folder.pid();
  shop.process.kill("SIGKILL");
  await folder.open();
  // It gives the folder back just before it ends.
  await eventually(() => expect(() => process.kill(orphan, 0)).toThrow("ESRCH"), { timeout: 10_000 });
});

test("A start waits for a shop that is still answering its last requests", async () => {
  const folder = await newFolder();
  const shop = await folder.serve();
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  // Under way for as long as a shop that stops waits: its body never ends.
  socket.write("POST /rest/v1/rpc/find_booklist HTTP/1.1\r\nHost: shop\r\nContent-Length: 10\r\n\r\n{");
  await eventually(async () => expect(await shop.ready()).toBe(true), waitOptions);
  const orphan = await folder.pid();
  shop.process.kill("SIGKILL");
  const startedAt = performance.now();
  await folder.open();
  expect(performance.now() - startedAt).toBeGreaterThan(4_000);
  expect(await folder.pid()).not.toBe(orphan);
});

test("When a shop is killed, its database releases the folder too, and nothing confirmed is lost", async () => {
  const folder = await newFolder();
  const host = await folder.openApart();
  host.kill("SIGKILL");
  const backend = await folder.open();
  const books = await (await ownerOf(backend, folder)).from("books").select("title");
  expect(books.data).toEqual([{ title: "Written by the host" }]);
});

test("Stopping leaves no process, releases the folder, and a request then gets 503 with a message", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  await backend.stop();
  expect(await findProcesses(serverName(folder.dataDir))).toEqual([]);
  await expect(folder.pid()).rejects.toThrow("ENOENT");
  const headers = { apikey: backend.publishableKey };
  const answer = await backend.fetch(new Request("http://shop.example/rest/v1/books?limit=1", { headers }));
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    message: "The shop is temporarily unavailable. Please try again in a few minutes.",
  });
});

test("No process that the shop starts has a secret in its environment, and its socket is no one else's", async () => {
  const folder = await newFolder();
  const secret = "sk_test_0123456789abcdef";
  const secrets = { PAYSTACK_SECRET_KEY: secret, METRICS_KEY: secret, ADMIN_PASSWORD: secret };
  const shop = await folder.serve({ ...secrets, WORKERS: "2" });
  await eventually(() => shop.output().includes(" is open ("), waitOptions);
  const first = await folder.pid();
  const children = (await familyOf(first)).filter((pid) => pid !== first);
  expect(children.length).toBeGreaterThan(4);
  const kept = await readSecrets(folder.dataDir);
  for (const pid of children) {
    const environ = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    for (const text of [secret, kept?.secretKey, kept?.jwtSecret]) expect(environ).not.toContain(text);
  }
  const others = 0o077;
  expect((await stat(join(folder.dataDir, "backend.sock"))).mode & others).toBe(0);
});

test.each([
  [
    "a folder that cannot be written",
    { DATA_DIR: "/proc/shop" },
    /^The data folder \/proc\/shop cannot be written$/,
  ],
  [
    "a database that nobody answers for",
    { DATABASE_URL: "postgres://127.0.0.1:1/shop" },
    /^The database of DATABASE_URL cannot be used: no server answers there$/,
  ],
])("%s is reported in one line", async (_, env, line) => {
  const folder = await newFolder();
  await expect(folder.open(env)).rejects.toThrow(line);
});
