import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, glob, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type LockedFile, tryLock } from "../lib/kernel-lock.ts";
import { log } from "../lib/log.ts";

const root = join(import.meta.dirname, "../..");
const buildFolder = join(root, "build");
/** What browsers fetch: code, pictures, fonts. */
export const clientFolder = join(buildFolder, "client");
/** Each holds the hash of the sources: once they are compiled, and once all files are compressed. */
const compiledStamp = join(buildFolder, "compiled.sha256");
const compressedStamp = join(buildFolder, "compressed.sha256");
const sourceFolders = ["app", "public", "shared"];
const sourceFiles = ["*.config.ts", "vite.*.ts", "package-lock.json"];
const compressible = /\.(js|css|svg|html|json|txt|xml|webmanifest|wasm)$/;

/**
 * Builds the pages unless the last build was made from the same sources, and compresses their files in every encoding.
 * @param signal aborts a build that is no longer wanted
 */
export async function buildIfChanged(signal?: AbortSignal): Promise<void> {
  const build = await compileIfChanged(signal);
  if (await isCompressed(build)) return;
  const lock = await lockBuild(signal);
  const compressing = compressUnderLock(lock, build, FILES_AT_ONCE, signal);
  await reportWhile("Building the pages: compressing", compressing);
}

/**
 * Compiles the pages unless it was done for the same sources. If several processes start at once, one does it and the others
 * wait. The shop can open then, with files in gzip, which is quick; `addBrotli` makes smaller ones.
 * @param signal aborts a build that is no longer wanted
 * @returns the hash of the sources, which identifies the build
 */
export async function compileIfChanged(signal?: AbortSignal): Promise<string> {
  const build = hashSources();
  const isCompiled = async () => (await readStamp(compiledStamp)) === build;
  if (await isCompiled()) return build;
  const lock = await reportWhile("Waiting for another process that is building the pages", lockBuild(signal));
  try {
    if (await isCompiled()) return build;
    log.info("Building the pages (once, and again when the sources change) …");
    await emptyBuildFolder();
    const compiled = run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"], signal);
    await reportWhile("Building the pages: compiling", compiled);
    await eachAsset(FILES_AT_ONCE, signal, async (file) =>
      writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 })),
    );
    await writeFile(compiledStamp, build);
    return build;
  } finally {
    lock.close();
  }
}

/** Deletes the stamps first, so that an interrupted build isn't taken for a complete one. The folder itself may be a mount. */
async function emptyBuildFolder(): Promise<void> {
  for (const stamp of [compiledStamp, compressedStamp]) await rm(stamp, { force: true });
  for (const name of ["client", "server"])
    await rm(join(buildFolder, name), { recursive: true, force: true });
}

/**
 * Compresses a build's files with brotli's best quality, because phones pay for each byte. The shop may be serving them: no file is
 * replaced, and a compressed one appears only once it is complete. One at a time, so that pages don't wait for zlib's threads.
 * @param build as `compileIfChanged` returns it
 * @returns whether it added files: false if they exist, if the build has changed, or if another process is compressing them
 */
export async function addBrotli(build: string, signal: AbortSignal): Promise<boolean> {
  if (await isCompressed(build)) return false;
  // Not awaited: each attempt blocks the process that serves the shop for some milliseconds.
  const lock = await tryLock(join(lockFolder, "build.lock"));
  return lock ? compressUnderLock(lock, build, 1, signal) : false;
}

const isCompressed = async (build: string) => (await readStamp(compressedStamp)) === build;

async function compressUnderLock(
  lock: LockedFile,
  build: string,
  filesAtOnce: number,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    if ((await isCompressed(build)) || (await readStamp(compiledStamp)) !== build) return false;
    await eachAsset(filesAtOnce, signal, async (file) => {
      // Compressed before an interruption.
      if (existsSync(`${file}.br`)) return;
      const content = await readFile(file);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      const part = join(clientFolder, `${randomUUID()}.part`);
      await writeFile(part, await promisify(brotliCompress)(content, { params }));
      await rename(part, `${file}.br`);
    });
    await copyFile(compiledStamp, compressedStamp);
    return true;
  } finally {
    lock.close();
  }
}

const readStamp = (file: string) => readFile(file, "utf8").catch(() => "");

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

/** Runs `work` on each compressible file for browsers, the smallest first: most visitors need those. */
async function eachAsset(
  filesAtOnce: number,
  signal: AbortSignal | undefined,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const files: { file: string; size: number }[] = [];
  for await (const name of glob("**/*", { cwd: clientFolder })) {
    const file = join(clientFolder, name);
    if (compressible.test(name)) files.push({ file, size: (await stat(file)).size });
  }
  files.sort((one, other) => other.size - one.size);
  const workOnNext = async () => {
    for (let next = files.pop(); next; next = files.pop()) {
      signal?.throwIfAborted();
      await work(next.file);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, workOnNext));
}

/** With fewer collections of garbage the build takes a tenth less time. */
const memoryFlag = "--max-semi-space-size=32";

async function run(script: string, args: string[], signal?: AbortSignal): Promise<void> {
  await mkdir(buildFolder, { recursive: true });
  const output: Buffer[] = [];
  // A cache of what is compiled costs more than it saves: builds are rare.
  const { NODE_COMPILE_CACHE, ...env } = process.env;
  const child = spawn(process.execPath, [memoryFlag, script, ...args], {
    cwd: root,
    env: { ...env, NODE_ENV: "production" },
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
