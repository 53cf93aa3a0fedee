import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { sizesOf } from "#shared/books/picture-sizes.ts";
import type { Sql } from "../../database/sql.ts";
import { makeFolder, writeDurably } from "../../lib/durable-file.ts";

/**
 * Identifies a file: every upload makes a new one, named after its row. Rows of earlier releases have no version, or
 * one in another format.
 */
export type FileName = {
  bucket: string;
  name: string;
  version?: string | null;
  /** Of a smaller picture made from it (server/web/small-covers.ts), which has no object of its own. */
  size?: string;
};

const versionMark = "file-";

export const newVersion = () => `${versionMark}${randomUUID()}`;

/** The name under which a file is stored: a hash of bucket, name, version and size. */
export function fileKey({ bucket, name, version, size }: FileName): string {
  const parts = version?.startsWith(versionMark) ? [bucket, name, version] : [bucket, name];
  if (size) parts.push(size);
  return createHash("sha256").update(parts.join("\0")).digest("hex");
}

/** The keys of a file and of every size made from it. */
export const allKeys = (file: FileName): string[] =>
  [{}, ...sizesOf(file.name).map((size) => ({ size }))].map((size) => fileKey({ ...file, ...size }));

/** `body` is null unless it was asked for. */
export type StoredFile = {
  size: number;
  modified: Date;
  body: ReadableStream | Uint8Array<ArrayBuffer> | null;
};

/** Where the buckets' files are: in a folder of this machine's, or in the database. */
export type StoredFiles = {
  /** Until the returned function is called, files of deleted objects are kept for a backup. */
  keep(): Promise<() => Promise<void>>;
  /** Null when the file is missing: just replaced or deleted. */
  open(file: FileName, withContent: boolean): Promise<StoredFile | null>;
  /**
   * The content, for a backup.
   * @param moment the transaction that the backup is read in
   */
  read(file: FileName, moment?: Sql): Promise<Buffer | null>;
  /** Writes a file completely or not at all. */
  write(file: FileName, content: Uint8Array): Promise<void>;
  /** Removes a file with every size made from it. */
  remove(file: FileName): Promise<void>;
  /**
   * Deletes files older than a day that belong to no object: those of uploads that failed after their file was written, and sizes that
   * were being made when their cover was deleted.
   */
  removeOrphans(listObjects: () => Promise<FileName[]>): Promise<void>;
};

/** Longer than any upload can take. */
export const orphanAgeMs = 24 * 60 * 60 * 1000;

/** An object's file, or one that was being written when the power failed. */
const ownFile = /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.tmp)?$/;

/**
 * The bucket's objects as files. Names are hashes of bucket, name and version, so that no name can reach outside the
 * folder or meet a rule of the file system, and no file is ever written twice: until its row is committed the earlier
 * one stays, and the code that deletes a row deletes its file. Content type and caching are in the database
 * (storage.objects.metadata).
 */
export class ObjectFiles implements StoredFiles {
  readonly #folder: string;
  /** How many backups are reading, and the files to delete when the last of them is done. */
  #readers = 0;
  readonly #toDelete = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Exists while a backup is being made: other processes delete no files then. */
  get #mark(): string {
    return `${this.#folder}-backup-under-way`;
  }

  /**
   * Until the returned function is called, files of deleted objects are kept: a backup lists the objects of one
   * moment and reads their files afterwards. What other processes keep meanwhile is deleted with other orphans.
   */
  async keep(): Promise<() => Promise<void>> {
    this.#readers += 1;
    await this.prepare();
    await writeFile(this.#mark, "");
    return async () => {
      this.#readers -= 1;
      if (this.#readers > 0) return;
      await this.endBackups();
      for (const path of this.#toDelete) await rm(path, { force: true });
      this.#toDelete.clear();
    };
  }

  async prepare(): Promise<void> {
    await makeFolder(this.#folder);
  }

  /** Also at a start: a backup may have been cut off. */
  async endBackups(): Promise<void> {
    await rm(this.#mark, { force: true });
  }

  path(file: FileName): string {
    return join(this.#folder, fileKey(file));
  }

  async open(file: FileName, withContent: boolean): Promise<StoredFile | null> {
    const path = this.path(file);
    const found = await stat(path).catch(() => null);
    if (!found) return null;
    const body = withContent ? (Readable.toWeb(createReadStream(path)) as ReadableStream) : null;
    return { size: found.size, modified: found.mtime, body };
  }

  async read(file: FileName): Promise<Buffer | null> {
    return readFile(this.path(file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
  }

  async write(file: FileName, content: Uint8Array): Promise<void> {
    await this.prepare();
    await writeDurably(this.path(file), content);
  }

  async remove(file: FileName): Promise<void> {
    for (const key of allKeys(file)) await this.#remove(join(this.#folder, key));
  }

  async #remove(path: string): Promise<void> {
    if (this.#readers > 0) this.#toDelete.add(path);
    else if (!existsSync(this.#mark)) await rm(path, { force: true });
  }

  /**
   * Deletes files older than a day that belong to no object: those of uploads that failed after their file was
   * written. If no file at all belongs to an object, nothing is deleted: the folder is then another database's.
   * @param listObjects asked after the files are known, so that no new one can be missing from its answer
   */
  async removeOrphans(listObjects: () => Promise<FileName[]>, now = Date.now()): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const paths = names.filter((name) => ownFile.test(name)).map((name) => join(this.#folder, name));
    const named = new Set((await listObjects()).flatMap(allKeys).map((key) => join(this.#folder, key)));
    if (!paths.some((path) => named.has(path))) return;
    for (const path of paths) {
      if (named.has(path)) continue;
      const { mtimeMs } = await stat(path);
      if (now - mtimeMs > orphanAgeMs) await this.#remove(path);
    }
  }

  /** Deletes files that were written longer ago. */
  async removeOlder(ageMs: number, now = Date.now()): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const path of names.filter((name) => ownFile.test(name)).map((name) => join(this.#folder, name))) {
      const { mtimeMs } = await stat(path);
      if (now - mtimeMs > ageMs) await this.#remove(path);
    }
  }
}

/**
 * Creates a folder and its parents. (Node's own function never returns on file systems that report "no such file".)
 */
async function ensureFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    const parent = dirname(folder);
    if (code !== "ENOENT" || (await stat(parent).catch(() => null))) throw error;
    await ensureFolder(parent);
    await mkdir(folder, { mode: 0o700 });
  }
}

/** Whether files can be written into a folder, which is made when it is not there. */
export async function canWrite(folder: string): Promise<boolean> {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    await ensureFolder(folder);
    await writeFile(probe, "");
    await rm(probe);
    return true;
  } catch {
    return false;
  }
}
