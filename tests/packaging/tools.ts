import { execFile } from "node:child_process";
import { mkdir, rm, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const cached = join(root, ".cache/packaging");
const run = promisify(execFile);

export type Tools = {
  npm: string;
  node: string;
  /** Runs this npm on this Node, as typed by a person who has nothing else. */
  command: { file: string; args: string[] };
  env: NodeJS.ProcessEnv;
};

/** Where packages come from and are kept belongs to the machine; all else that an outer npm sets would change the inner one. */
const passedOn = /^npm_config_(registry|cache|userconfig|globalconfig)$/i;

function ownEnvironment(binFolder: string): NodeJS.ProcessEnv {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        (!/^npm_/i.test(name) || passedOn.test(name)) &&
        !/^(NODE_(?!EXTRA_CA_CERTS)|VITEST|INIT_CWD)/.test(name),
    ),
  );
  const path = (env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return { ...env, PATH: [binFolder, ...path].join(delimiter) };
}

/** Installs a package of the registry into a folder of its own, once. */
async function fetchPackage(spec: string): Promise<string> {
  const folder = join(cached, spec);
  await mkdir(folder, { recursive: true });
  const flags = ["--no-save", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=0"];
  await run("npm", ["install", "--prefix", folder, spec, ...flags], {
    cwd: folder,
    shell: process.platform === "win32",
    timeout: 60_000,
  });
  return join(folder, "node_modules", spec.replace(/@[^@]*$/, ""));
}

/**
 * A major version of npm with a major version of Node, from the registry.
 * @returns one line that says why not when they cannot be had here
 */
export async function fetchTools(npmMajor: number, nodeMajor: number): Promise<Tools | string> {
  if (process.platform !== "linux") return "the old Nodes are fetched for Linux alone";
  try {
    const npm = await fetchPackage(`npm@${npmMajor}`);
    const node = join(await fetchPackage(`node-linux-${process.arch}@${nodeMajor}`), "bin/node");
    const binFolder = join(cached, `bin-${nodeMajor}`);
    await mkdir(binFolder, { recursive: true });
    await rm(join(binFolder, "node"), { force: true });
    await symlink(node, join(binFolder, "node"));
    const version = async (file: string, ...args: string[]) => (await run(file, args)).stdout.trim();
    const cli = join(npm, "bin/npm-cli.js");
    return {
      npm: await version(node, cli, "--version"),
      node: await version(node, "--version"),
      command: { file: node, args: [cli] },
      env: ownEnvironment(binFolder),
    };
  } catch (error) {
    const { stderr = "", message } = error as { stderr?: string; message: string };
    const code = /npm (?:error|ERR!) code (\S+)/.exec(stderr)?.[1];
    return `the registry does not answer (${code ?? message.split("\n")[0]})`;
  }
}
