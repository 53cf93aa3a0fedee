import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { outboxFolder, queueFolder } from "#server/embedded/email-transport.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import { clientOf, newCustomer, newFolder, ownerOf, password } from "./shop-folder.ts";

/* The embedded backend as a process: one per folder, ended and restarted when it should be. */

vi.setConfig({ testTimeout: 120_000 }); // Several starts each, on a machine that may be busy.

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

test("A second backend in the same folder is refused in one line that names the first", async () => {
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

test("A backend that is killed is restarted automatically", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  const before = await folder.pid();
  process.kill(before, "SIGKILL");
  await vi.waitFor(async () => expect(await folder.pid()).not.toBe(before), {
    timeout: 60_000,
    interval: 50,
  });
  await vi.waitFor(async () => expect(await backend.ready()).toBe(true), { timeout: 60_000, interval: 50 });
  const books = await clientOf(backend).from("books").select("id");
  expect(books.error).toBeNull();
  expect(folder.lines).toContain("backend: ended unexpectedly (SIGKILL); starting it again");
});

test("A backend that stops responding is ended and restarted", async () => {
  const folder = await newFolder();
  const backend = await folder.open({}, 8_000);
  const before = await folder.pid();
  process.kill(before, "SIGSTOP");
  await vi.waitFor(async () => expect(await folder.pid()).not.toBe(before), {
    timeout: 90_000,
    interval: 200,
  });
  await vi.waitFor(async () => expect(await backend.ready()).toBe(true), { timeout: 60_000, interval: 50 });
  expect(folder.lines).toContain("backend: no answer for 8 s; ending it");
});

test("A request that comes while the backend is away waits for it", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  process.kill(await folder.pid(), "SIGKILL");
  await vi.waitFor(() => expect(folder.lines.join()).toContain("starting it again"), { timeout: 60_000 });
  const headers = { apikey: backend.publishableKey };
  const books = () => backend.fetch(new Request("http://shop.example/rest/v1/books?limit=1", { headers }));
  await vi.waitFor(async () => expect((await books()).status).toBe(200), { timeout: 60_000 });
  expect((await books()).status).toBe(200);
});

test("When the web process is killed, the backend shuts itself down and releases the folder", async () => {
  const folder = await newFolder();
  const host = spawn(process.execPath, [join(import.meta.dirname, "host.ts"), folder.dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void host.kill("SIGKILL"));
  await once(host.stdout, "data");
  const orphan = await folder.pid();
  host.kill("SIGKILL");
  const backend = await folder.open();
  // It gives the folder back just before it ends.
  await vi.waitFor(() => expect(() => process.kill(orphan, 0)).toThrow("ESRCH"), { timeout: 10_000 });
  const books = await (await ownerOf(backend, folder)).from("books").select("title");
  expect(books.data).toEqual([{ title: "Written by the host" }]);
});

test("Stopping leaves no process, releases the folder, and a request then gets 503 with a message", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  const pid = await folder.pid();
  await backend.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await expect(folder.pid()).rejects.toThrow("ENOENT");
  const answer = await backend.fetch(new Request("http://shop.example/rest/v1/books?limit=1"));
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    message: "The shop's database is starting again. Please try again in a moment.",
  });
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
