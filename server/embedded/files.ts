import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { App } from "@supabase/lite";
import { writeDurably } from "./durable-file.ts";

type StorageAdapter = NonNullable<App["_storageAdapter"]>;
type Metadata = Awaited<ReturnType<StorageAdapter["headObject"]>>;

/**
 * The bucket's objects as files. Names are hashes of bucket and key, so that no key can reach outside the folder or
 * meet a rule of the file system; content type and caching stand in the database (storage.objects.metadata).
 */
export class ObjectFiles implements StorageAdapter {
  driver = null;
  readonly #folder: string;
  /** How many backups are reading, and the files that go when the last of them is done. */
  #readers = 0;
  readonly #doomed = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Until the answer is called, files of deleted objects stay where they are: a backup holds the objects of one
   * moment and reads their files after it.
   */
  keep(): () => Promise<void> {
    this.#readers += 1;
    return async () => {
      this.#readers -= 1;
      if (this.#readers > 0) return;
      for (const path of this.#doomed) await rm(path, { force: true });
      this.#doomed.clear();
    };
  }

  /** Makes the folder. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
  }

  /** The file of an object. */
  path(bucket: string, key: string): string {
    return join(this.#folder, createHash("sha256").update(`${bucket}\0${key}`).digest("hex"));
  }

  async uploadObject(
    bucket: string,
    key: string,
    _version: string | undefined,
    body: Parameters<StorageAdapter["uploadObject"]>[3],
    contentType: string,
    cacheControl: string,
  ): Promise<Metadata> {
    await this.prepare();
    this.#doomed.delete(this.path(bucket, key));
    const content = body instanceof Uint8Array ? body : Readable.fromWeb(body as never);
    const size = await writeDurably(this.path(bucket, key), content);
    return {
      cacheControl,
      contentLength: size,
      size,
      mimetype: contentType,
      lastModified: new Date(),
      eTag: `"${randomUUID()}"`,
      httpStatusCode: 200,
    };
  }

  async getObject(bucket: string, key: string) {
    const metadata = await this.headObject(bucket, key);
    const body = Readable.toWeb(createReadStream(this.path(bucket, key))) as ReadableStream;
    return { metadata, httpStatusCode: 200, body };
  }

  async headObject(bucket: string, key: string): Promise<Metadata> {
    const found = await stat(this.path(bucket, key));
    return {
      cacheControl: "no-cache",
      contentLength: found.size,
      size: found.size,
      mimetype: "application/octet-stream",
      lastModified: found.mtime,
      eTag: `"${found.size.toString(16)}-${Math.trunc(found.mtimeMs).toString(16)}"`,
      httpStatusCode: 200,
    };
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    const path = this.path(bucket, key);
    if (this.#readers > 0) this.#doomed.add(path);
    else await rm(path, { force: true });
  }

  async deleteObjects(bucket: string, keys: string[]): Promise<void> {
    for (const key of keys) await this.deleteObject(bucket, key);
  }

  async copyObject(
    fromBucket: string,
    fromKey: string,
    _version: string | undefined,
    toBucket: string,
    toKey: string,
  ) {
    await copyFile(this.path(fromBucket, fromKey), this.path(toBucket, toKey));
    const { eTag, lastModified } = await this.headObject(toBucket, toKey);
    return { eTag, lastModified, httpStatusCode: 200 };
  }

  async privateAssetUrl(): Promise<string> {
    throw new Error("Objects have no address of their own");
  }
}

/** Makes a folder and those above it. (Node's own way never returns where a file system says "no such file".) */
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
