import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { writeDurably } from "../../lib/durable-file.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { StartError } from "../../lib/start-error.ts";
import type { Position, Table } from "./tables.ts";
import { RowTally, type Tally } from "./tally.ts";

/*
 * A backup is one gzipped text. A line that begins with # describes what follows, as JSON; the lines after "#table"
 * are its rows, the line after "#file" is the file in base64. The last line is the manifest: how many rows each table
 * has with their checksum, how many files, and the checksum of everything before it. So a backup can be read on
 * another database engine, by a later version of the shop, or by hand with zcat.
 */

const format = "adwene-shop-backup";
const version = 1;

type Header = { format: string; version: number; madeAt: string; migrations: string[] };
export type FileHead = { bucket: string; name: string; version?: string | null };
export type Manifest = {
  tables: Record<string, Tally>;
  files: number;
  /** Objects whose file was missing when the backup was made. */
  missingFiles: number;
  sha256: string;
};

export type Entry =
  | { kind: "header"; header: Header }
  | { kind: "secrets"; secrets: Secrets }
  | { kind: "table"; table: Table }
  | { kind: "rows"; table: Table; rows: string[] }
  | { kind: "position"; position: Position }
  | { kind: "file"; head: FileHead; content: Buffer }
  | { kind: "manifest"; manifest: Manifest };

/** Writes a backup so that it is on the disk completely or not at all, readable only by its owner. */
export class BackupWriter {
  readonly #gzip = createGzip({ level: 6 });
  readonly #saved: Promise<number>;
  readonly #hash = createHash("sha256");
  readonly #tallies = new Map<string, RowTally>();
  #table = new RowTally();
  #files = 0;
  #missingFiles = 0;

  constructor(path: string) {
    this.#saved = writeDurably(path, this.#gzip, 0o600);
    this.#saved.catch(() => {}); // Thrown at the next write or at the end.
  }

  async #write(text: string): Promise<void> {
    this.#hash.update(text);
    if (this.#gzip.destroyed) await this.#saved;
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, "drain"), this.#saved]);
  }

  #say(word: string, facts: object): Promise<void> {
    return this.#write(`#${word} ${JSON.stringify(facts)}\n`);
  }

  async start(migrations: string[], secrets: Secrets, now: Date): Promise<void> {
    const header: Header = { format, version, madeAt: now.toISOString(), migrations };
    await this.#say("backup", header);
    await this.#say("secrets", secrets);
  }

  async table(table: Table): Promise<void> {
    this.#table = new RowTally();
    this.#tallies.set(table.name, this.#table);
    await this.#say("table", table);
  }

  async rows(rows: string[]): Promise<void> {
    for (const row of rows) this.#table.add(row);
    await this.#write(`${rows.join("\n")}\n`);
  }

  position(position: Position): Promise<void> {
    return this.#say("position", position);
  }

  async file(head: FileHead, content: Buffer | null): Promise<void> {
    if (!content) {
      this.#missingFiles += 1;
      return;
    }
    this.#files += 1;
    await this.#say("file", head);
    await this.#write(`${content.toString("base64")}\n`);
  }

  /** Writes the manifest and waits until the file is on the disk. */
  async finish(): Promise<Manifest> {
    const tables = Object.fromEntries([...this.#tallies].map(([name, tally]) => [name, tally.result()]));
    const sha256 = this.#hash.digest("hex");
    const manifest = { tables, files: this.#files, missingFiles: this.#missingFiles, sha256 };
    this.#gzip.end(`#manifest ${JSON.stringify(manifest)}\n`);
    await this.#saved;
    return manifest;
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    this.#gzip.destroy(new Error("abandoned"));
    await this.#saved.catch(() => {});
  }
}

const damaged = (path: string, what: string) => new StartError(`The backup ${path} is damaged: ${what}`);

/** Lines as bytes: text may contain characters that a line reader would treat as line endings. */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of source) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, end)]);
      rest = [];
      from = end + 1;
    }
    if (from < piece.length) rest.push(piece.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

async function* unpack(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let failure: NodeJS.ErrnoException | null = null;
  const reading = pipeline(createReadStream(path), gunzip).catch((error) => {
    failure = error;
  });
  try {
    yield* gunzip;
  } catch (error) {
    failure ??= error as NodeJS.ErrnoException;
  }
  await reading;
  const found = failure as NodeJS.ErrnoException | null;
  if (found?.code === "ENOENT") throw new StartError(`There is no backup ${path}`);
  if (found?.code?.startsWith("Z_") || found?.code === "ERR_STREAM_PREMATURE_CLOSE")
    throw damaged(path, "it cannot be unpacked");
  if (found) throw new StartError(`The backup ${path} cannot be read (${found.code ?? found.name})`);
}

const rowsAtOnce = 200;

/**
 * The contents of a backup in order, its rows a few hundred at a time.
 * @throws StartError with one line: missing, not a backup, from a later version, damaged
 */
export async function* readBackup(path: string): AsyncGenerator<Entry> {
  const hash = createHash("sha256");
  let first = true;
  let table: Table | null = null;
  let rows: string[] = [];
  let file: FileHead | null = null;
  let ended = false;
  for await (const line of linesOf(unpack(path))) {
    if (ended) throw damaged(path, "something follows its end");
    if (line[0] !== 0x23) {
      hash.update(line).update("\n");
      if (file) yield { kind: "file", head: file, content: Buffer.from(line.toString("latin1"), "base64") };
      else if (table) rows.push(line.toString("utf8"));
      else throw new StartError(`${path} is not a backup of a shop`);
      file = null;
    }
    if (table && rows.length > 0 && (line[0] === 0x23 || rows.length >= rowsAtOnce)) {
      yield { kind: "rows", table, rows };
      rows = [];
    }
    if (line[0] !== 0x23) continue;
    const { word, facts } = readFacts(path, line.toString("utf8"));
    if (first !== (word === "backup")) throw new StartError(`${path} is not a backup of a shop`);
    first = false;
    if (word !== "manifest") hash.update(line).update("\n");
    if (word === "table") table = facts as Table;
    if (word === "file") file = facts as FileHead;
    if (word === "table") yield { kind: "table", table: facts as Table };
    if (word === "backup") yield { kind: "header", header: checkHeader(path, facts as Header) };
    if (word === "secrets") yield { kind: "secrets", secrets: facts as Secrets };
    if (word === "position") yield { kind: "position", position: facts as Position };
    if (word === "manifest") {
      ended = true;
      const manifest = facts as Manifest;
      if (manifest.sha256 !== hash.digest("hex")) throw damaged(path, "its checksum differs");
      yield { kind: "manifest", manifest };
    }
  }
  if (!ended) throw damaged(path, "its end is missing");
}

function readFacts(path: string, line: string): { word: string; facts: unknown } {
  const [, word = "", json = ""] = /^#(\w+) (.*)$/s.exec(line) ?? [];
  try {
    return { word, facts: JSON.parse(json) };
  } catch {
    throw damaged(path, "a line cannot be read");
  }
}

function checkHeader(path: string, header: Header): Header {
  if (header.format !== format) throw new StartError(`${path} is not a backup of a shop`);
  if (header.version > version) throw new StartError(`${path} was made by a later version of the shop`);
  return header;
}

/** Reads a whole backup without using it; returns its manifest. Throws as `readBackup` does. */
export async function checkBackup(path: string): Promise<{ header: Header; manifest: Manifest }> {
  let header: Header | null = null;
  let manifest: Manifest | null = null;
  // To the very end: something may follow the manifest.
  for await (const entry of readBackup(path)) {
    if (entry.kind === "header") header = entry.header;
    if (entry.kind === "manifest") manifest = entry.manifest;
  }
  if (!header || !manifest) throw damaged(path, "its end is missing");
  return { header, manifest };
}
