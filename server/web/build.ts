import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, glob, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type LockedFile, tryLock } from "../lib/kernel-lock.ts";
import { log } from "../lib/log.ts";

const root = join(import.meta.dirname, "../..");
/** What browsers fetch: code, pictures, fonts. */
export const clientFolder = join(root, "build/client");
/** What the build was compiled from, and of what its files have been compressed. */
const compiledStamp = join(root, "build/compiled.sha256");
const compressedStamp = join(root, "build/compressed.sha256");
const sourceFolders = ["app", "public", "shared"];
const sourceFiles = ["*.config.ts", "vite.*.ts", "package-lock.json"];
const compressible = /\.(js|css|svg|html|json|txt|xml|webmanifest|wasm)$/;

/**
 * Builds the pages unless the last build was made from the same sources, and compresses what browsers fetch in every way.
 * @param signal aborts a build that is no longer wanted
 */
export async function buildIfChanged(signal?: AbortSignal): Promise<void> {
  await compileIfChanged(signal);
  await reportWhile("Building the pages: compressing", addBrotli(FILES_AT_ONCE, signal));
}

/**
 * Compiles the pages unless it was done for the same sources. If several processes start at once, one does it and the others
 * wait. The shop can open then: its files are there with gzip, which is quick; `addBrotli` saves visitors some more.
 * @param signal aborts a build that is no longer wanted
 */
export async function compileIfChanged(signal?: AbortSignal): Promise<void> {
  const sourcesHash = hashSources();
  const isCompiled = async () => (await readStamp(compiledStamp)) === sourcesHash;
  if (await isCompiled()) return;
  const lock = await reportWhile("Waiting for another process that is building the pages", lockBuild(signal));
  try {
    if (await isCompiled()) return;
    log.info("Building the pages (once, and again when the sources change) …");
    // What an interrupted build leaves must not be taken for the build of earlier sources.
    for (const stamp of [compiledStamp, compressedStamp]) await rm(stamp, { force: true });
    const compiled = run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"], signal);
    await reportWhile("Building the pages: compiling", compiled);
    await eachAsset(FILES_AT_ONCE, signal, async (file, content) =>
      writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 })),
    );
    await writeFile(compiledStamp, sourcesHash);
  } finally {
    lock.close();
  }
}

/**
 * Compresses the build's files with brotli as far as possible, once: phones pay for each byte. They may be served meanwhile: none is
 * replaced, and a compressed one is there only when it is whole.
 * @param filesAtOnce each takes one of zlib's four threads
 */
export async function addBrotli(filesAtOnce: number, signal?: AbortSignal): Promise<void> {
  const isCompressed = async () => (await readStamp(compressedStamp)) === (await readStamp(compiledStamp));
  if (await isCompressed()) return;
  const lock = await lockBuild(signal);
  try {
    if (await isCompressed()) return;
    await eachAsset(filesAtOnce, signal, async (file, content) => {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await writeFile(`${file}.part`, await promisify(brotliCompress)(content, { params }));
      await rename(`${file}.part`, `${file}.br`);
    });
    await copyFile(compiledStamp, compressedStamp);
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

/** Does something with each file for browsers that becomes smaller when it is compressed. */
async function eachAsset(
  filesAtOnce: number,
  signal: AbortSignal | undefined,
  work: (file: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const names: string[] = [];
  for await (const name of glob("**/*", { cwd: clientFolder })) if (compressible.test(name)) names.push(name);
  const workOnNext = async () => {
    for (let name = names.pop(); name; name = names.pop()) {
      signal?.throwIfAborted();
      const file = join(clientFolder, name);
      await work(file, await readFile(file));
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, workOnNext));
}

/** Fewer collections of garbage: it takes a tenth less time. */
const memoryFlag = "--max-semi-space-size=32";

async function run(script: string, args: string[], signal?: AbortSignal): Promise<void> {
  await mkdir(join(root, "build"), { recursive: true });
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
