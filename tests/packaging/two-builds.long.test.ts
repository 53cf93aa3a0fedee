import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { makeCleanCopy } from "./clean-copy.ts";

const root = join(import.meta.dirname, "../..");

const isBuilt = (folder: string) =>
  readFile(join(folder, "build/compressed.sha256")).then(Boolean, () => false);

test("Two processes that start at once build only once, and both have the pages", async () => {
  const { folder, remove } = await makeCleanCopy();
  onTestFinished(remove);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const build = async () => {
    const child = spawn(process.execPath, ["scripts/build.ts"], { cwd: folder, stdio: "pipe" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "close");
    const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: (await ended)[0], printed, errors, isBuilt: await isBuilt(folder) };
  };
  const both = await Promise.all([build(), build()]);
  expect(both.map(({ code, errors, isBuilt }) => ({ code, errors, isBuilt }))).toEqual(
    both.map(() => ({ code: 0, errors: "", isBuilt: true })),
  );
  expect(both.filter(({ printed }) => printed.includes("Building the pages"))).toHaveLength(1);
});
