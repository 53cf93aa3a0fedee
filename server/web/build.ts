import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type LockedFile, tryLock } from "../lib/kernel-lock.ts";
import { log } from "../lib/log.ts";

const root = join(import.meta.dirname, "../..");
/** What browsers fetch: code, pictures, fonts. */
export const clientFolder = join(root, "build/client");
const stampFile = join(root, "build/sources.sha256");
const sourceFolders = ["app", "public", "shared"];
const sourceFiles = ["*.config.ts", "vite.*.ts", "package-lock.json"];
const compressible = /\.(js|css|svg|html|json|txt|xml|webmanifest|wasm)$/;

/**
 * Builds the pages unless the last build was made from the same sources. If several processes start at once, one builds
 * and the others wait.
 * @param signal aborts a build that is no longer wanted
 */
export async function buildIfChanged(signal?: AbortSignal): Promise<void> {
  const sourcesHash = hashSources();
  if (await isBuilt(sourcesHash)) return;
  const lock = await reportWhile("Waiting for another process that is building the pages", lockBuild(signal));
  try {
    if (await isBuilt(sourcesHash)) return;
    log.info("Building the pages (once, and again when the sources change) …");
    const compiled = run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"], signal);
    await reportWhile("Building the pages: compiling", compiled);
    await reportWhile("Building the pages: compressing", compressAssets(signal));
    await writeFile(stampFile, sourcesHash);
  } finally {
    lock.close();
  }
}

const REPORT_MS = 10_000;

/** Logs every ten seconds that the work is still running: without it, a slow start on a busy machine looks stuck. */
export async function reportWhile<Result>(
  what: string,
  work: Promise<Result>,
  report: (message: string) => void = log.info,
): Promise<Result> {
  const started = performance.now();
  const timer = setInterval(
    () => report(`${what}, ${Math.round((performance.now() - started) / 1000)} s so far …`),
    REPORT_MS,
  );
  return work.finally(() => clearInterval(timer));
}

const isBuilt = async (sourcesHash: string) =>
  (await readFile(stampFile, "utf8").catch(() => "")) === sourcesHash;

const LOCK_PAUSE_MS = 300;
/** Not in the build's folder, which a build empties. */
const lockFolder = join(root, ".cache");

async function lockBuild(signal?: AbortSignal): Promise<LockedFile> {
  await mkdir(lockFolder, { recursive: true });
  for (;;) {
    signal?.throwIfAborted();
    const lock = await tryLock(join(lockFolder, "build.lock"));
    if (lock) return lock;
    await pause(LOCK_PAUSE_MS);
  }
}

/** Runs on every start. Reading a thousand small files synchronously takes a fifth of the processor time of awaiting each. */
function hashSources(): string {
  const hash = createHash("sha256");
  const files = globSync(sourceFiles, { cwd: root });
  // A file manager's or an editor's own files begin with a dot.
  for (const folder of sourceFolders)
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.startsWith("."))
        files.push(relative(root, join(entry.parentPath, entry.name)));
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** As many as zlib has threads for. */
const FILES_AT_ONCE = 4;

/** Phones pay for each byte: files are compressed as far as possible, once, here. */
async function compressAssets(signal?: AbortSignal): Promise<void> {
  const names: string[] = [];
  for await (const name of glob("**/*", { cwd: clientFolder })) if (compressible.test(name)) names.push(name);
  const compressNext = async () => {
    for (let name = names.pop(); name; name = names.pop()) {
      signal?.throwIfAborted();
      await compressAsset(join(clientFolder, name));
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, compressNext));
}

async function compressAsset(file: string): Promise<void> {
  const content = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

async function run(script: string, args: string[], signal?: AbortSignal): Promise<void> {
  await mkdir(join(root, "build"), { recursive: true });
  const output: Buffer[] = [];
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`The build failed:\n${Buffer.concat(output).toString()}`);
}
