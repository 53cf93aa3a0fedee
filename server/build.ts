import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const root = join(import.meta.dirname, "..");
const stampFile = join(root, "build/sources.sha256");
const sources = ["app/**/*", "public/**/*", "*.config.ts", "package-lock.json"];
const compressible = /\.(js|css|svg|html|json|txt|xml|webmanifest)$/;

/** Builds the pages unless the last build was made from the same sources. */
export async function buildIfChanged(): Promise<void> {
  const wanted = await hashSources();
  const built = await readFile(stampFile, "utf8").catch(() => "");
  if (wanted === built) return;
  console.log("Building the pages (once, and again when the sources change) …");
  await run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"]);
  await compressAssets();
  await writeFile(stampFile, wanted);
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const files: string[] = [];
  for (const pattern of sources)
    for await (const entry of glob(pattern, { cwd: root, withFileTypes: true }))
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest("hex");
}

/** Phones pay for each byte: files are compressed as far as it goes, once, here. */
async function compressAssets(): Promise<void> {
  const client = join(root, "build/client");
  for await (const name of glob("**/*", { cwd: client })) {
    if (!compressible.test(name)) continue;
    const file = join(client, name);
    const content = await readFile(file);
    const brotli = await promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    });
    await Promise.all([
      writeFile(`${file}.br`, brotli),
      promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
    ]);
  }
}

async function run(script: string, args: string[]): Promise<void> {
  await mkdir(join(root, "build"), { recursive: true });
  const output: Buffer[] = [];
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`The build failed:\n${Buffer.concat(output).toString()}`);
}
