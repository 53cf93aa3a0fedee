import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { fetchTools } from "./tools.ts";

const root = join(import.meta.dirname, "../..");
const launcher = join(root, "scripts/launch.js");
const waits = "tests/packaging/waits.ts";

const tools = await fetchTools(10, 20);
const problem = typeof tools === "string" ? tools : null;
sayWhatIsSkipped("the launcher under Node 20", problem);
const node20 = typeof tools === "string" ? "" : tools.command.file;

/** The launcher in a folder of its own, without packages. */
function copyOfLauncher(): string {
  const folder = mkdtempSync(join(tmpdir(), "adwene-launcher-"));
  for (const name of ["launch.js", "stop-with-shell.js", "trim-packages.js"])
    cpSync(join(root, "scripts", name), join(folder, "scripts", name));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return folder;
}

async function launch(
  node: string,
): Promise<{ child: ChildProcess; said: { version: string; pid: number } }> {
  const child = spawn(node, [launcher, waits], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, said: JSON.parse(line) };
}

describe.skipIf(problem)("Under Node 20 the launcher", () => {
  test("runs the script on Node 24 and passes on arguments and exit code", () => {
    const { stdout, status } = spawnSync(node20, [launcher, waits, "fail", "two words"], {
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toMatchObject({
      version: expect.stringMatching(/^v24\./),
      words: ["fail", "two words"],
    });
    expect(status).toBe(9);
  });

  test("passes on SIGTERM and ends with the script's exit code", async () => {
    const { child } = await launch(node20);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([5, null]);
  });

  test("ends by the signal that ended the script", async () => {
    const { child, said } = await launch(node20);
    process.kill(said.pid, "SIGKILL");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  });

  test("uses at most 45 MB beside the script", async () => {
    const { child } = await launch(node20);
    try {
      const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, "utf8");
      expect(Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1000).toBeLessThanOrEqual(45);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });

  test("says in one line what to do when no newer Node is installed", () => {
    const folder = copyOfLauncher();
    try {
      const { stderr, status } = spawnSync(node20, ["scripts/launch.js", "server/start.js"], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(stderr.trim().split("\n")).toEqual([
        expect.stringMatching(/^Node 20\.\S+ is too old .* run "npm ci"/),
      ]);
      expect(status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.skipIf(process.platform === "win32")(
  "Under Node 24 the launcher leaves no process beside the script",
  async () => {
    const { child, said } = await launch(process.execPath);
    expect(said.pid).toBe(child.pid);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([5, null]);
  },
);

test("the launcher deletes only the headers and manuals that npm ci --ignore-scripts leaves", () => {
  const folder = copyOfLauncher();
  try {
    const system = process.platform === "win32" ? "win" : process.platform;
    const place = join(folder, "node_modules", `node-${system}-${process.arch}`);
    for (const part of ["include/node", "share/man", "bin"]) {
      mkdirSync(join(place, part), { recursive: true });
      writeFileSync(join(place, part, "file"), "");
    }
    writeFileSync(join(folder, "hello.js"), 'console.log("hello")');
    const launched = () =>
      spawnSync(process.execPath, ["scripts/launch.js", "hello.js"], { cwd: folder, encoding: "utf8" });
    expect(launched()).toMatchObject({ stdout: "hello\n", stderr: "", status: 0 });
    expect(readdirSync(place)).toEqual(["bin"]);
    expect(readdirSync(join(place, "bin"))).toEqual(["file"]);
    expect(launched()).toMatchObject({ stdout: "hello\n", stderr: "", status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
