import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { makeCleanCopy } from "./clean-copy.ts";

/* A first start builds the pages while its backend opens. When one of them fails, nothing of the other may stay. */

const root = join(import.meta.dirname, "../..");

/** Starts the shop in a copy of the project without a build, until it ends. */
async function startCopy(
  settings: NodeJS.ProcessEnv,
  change: (folder: string) => Promise<void> = async () => {},
) {
  const { folder, remove } = await makeCleanCopy();
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-first-start-"));
  onTestFinished(async () => {
    await remove();
    await rm(dataDir, { recursive: true, force: true });
  });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await change(folder);
  const child = spawn(process.execPath, ["server/start.js"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", DATA_DIR: dataDir, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [printed, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  const lines: { level: string; message: string }[] = (printed + errors)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failures = lines.filter(({ level }) => level === "error").map(({ message }) => message);
  return { folder, dataDir, code, failures };
}

const isBuilt = (folder: string) =>
  readFile(join(folder, "build/compiled.sha256")).then(Boolean, () => false);

/** Processes whose command or working folder is in this folder (Linux only). */
async function processesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes(folder)) found.push(command.replaceAll("\0", " "));
  }
  return found;
}

test("A backend that cannot be opened ends the build, with one line", async () => {
  const nobody = "postgres://nobody@127.0.0.1:1/none";
  const { folder, code, failures } = await startCopy({ DATABASE_URL: nobody });
  expect(failures).toEqual([expect.stringMatching(/^The database of DATABASE_URL cannot be used: /)]);
  expect(code).toBe(1);
  expect(await isBuilt(folder)).toBe(false);
  if (process.platform === "linux") expect(await processesIn(folder)).toEqual([]);
});

test("A build that fails ends the backend, with one line, and the folder can be used", async () => {
  const { folder, dataDir, code, failures } = await startCopy({ SHOP_DEMO: "0" }, async (copy) => {
    await writeFile(join(copy, "app/root.tsx"), "not a program");
    await mkdir(join(copy, "build"));
    await writeFile(join(copy, "build/compiled.sha256"), "an earlier build");
  });
  expect(failures).toEqual([expect.stringMatching(/^The build failed:/)]);
  expect(code).toBe(1);
  // What it has left must not be taken for the build of earlier sources.
  expect(await isBuilt(folder)).toBe(false);
  if (process.platform === "linux")
    expect([...(await processesIn(folder)), ...(await processesIn(dataDir))]).toEqual([]);
  expect(await readdir(dataDir)).not.toContain("backend.lock");
});
