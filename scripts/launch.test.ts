import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** A copy of the launcher, with a script that needs a package, which is there. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "launch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["launch.js", "stop-with-shell.js", "trim-packages.js"])
    cpSync(join(import.meta.dirname, name), join(folder, "scripts", name));
  writeFileSync(join(folder, "package.json"), '{"type":"module","dependencies":{"some":"1.0.0"}}');
  writeFileSync(join(folder, "start.js"), 'import "some"; console.log("started");');
  mkdirSync(join(folder, "node_modules/some"), { recursive: true });
  writeFileSync(join(folder, "node_modules/some/package.json"), '{"main":"index.js"}');
  return folder;
}

const launch = (folder: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/launch.js", "start.js"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

test("says in one line that npm ci was interrupted, and starts once it has finished", () => {
  const folder = newFolder();
  expect(launch(folder)).toEqual({
    status: 1,
    stdout: "",
    stderr: 'The packages are not installed completely: run "npm ci" and wait until it has finished\n',
  });
  writeFileSync(join(folder, "node_modules/some/index.js"), "");
  writeFileSync(join(folder, "node_modules/.package-lock.json"), "{}");
  expect(launch(folder)).toEqual({ status: 0, stdout: "started\n", stderr: "" });
});
