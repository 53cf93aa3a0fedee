import type { Sql } from "../../database/sql.ts";
import { toArray } from "../data/sql-text.ts";
import {
  allKeys,
  type FileName,
  fileKey,
  orphanAgeMs,
  type StoredFile,
  type StoredFiles,
} from "./stored-files.ts";

const recentMostBytes = 8 * 1024 * 1024;

type Recent = { size: number; modified: Date; body: Uint8Array<ArrayBuffer> };

type Row = { size: number; created_at: string; content: Buffer | null };

/**
 * The buckets' files as rows, for several machines on one PostgreSQL: each one reads what another has written, and a backup finds
 * them in the moment that it writes. Nobody but the database's owner may read the table.
 */
export class DatabaseFiles implements StoredFiles {
  readonly #sql: Sql;
  /** Read lately. A file of a name is never written twice, and is only looked for when its object has been found. */
  readonly #recent = new Map<string, Recent>();
  #recentBytes = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Nothing to hold: a transaction sees the rows of its moment. */
  async keep(): Promise<() => Promise<void>> {
    return async () => {};
  }

  async open(file: FileName, withContent: boolean): Promise<StoredFile | null> {
    const key = fileKey(file);
    const recent = this.#recent.get(key);
    if (recent) {
      // Read again: the last to be dropped.
      this.#recent.delete(key);
      this.#recent.set(key, recent);
      return { ...recent, body: withContent ? recent.body : null };
    }
    const [row] = await this.#sql.query<Row>(
      `select octet_length(content) as size, created_at, case when $2::text = 'yes' then content end as content
         from private_shop.files where key = $1::text`,
      [key, withContent ? "yes" : "no"],
    );
    if (!row) return null;
    const { size, created_at, content } = row;
    const modified = new Date(created_at);
    if (!content) return { size, modified, body: null };
    const body = new Uint8Array(content);
    this.#remember(key, { size, modified, body });
    return { size, modified, body };
  }

  #remember(key: string, file: Recent): void {
    if (this.#recent.has(key)) return;
    this.#recent.set(key, file);
    this.#recentBytes += file.size;
    for (const [oldest, { size }] of this.#recent) {
      if (this.#recentBytes <= recentMostBytes) break;
      this.#recent.delete(oldest);
      this.#recentBytes -= size;
    }
  }

  /** @param sql the backup's own transaction */
  async read(file: FileName, sql = this.#sql): Promise<Buffer | null> {
    const [row] = await sql.query<{ content: Buffer }>(
      "select content from private_shop.files where key = $1::text",
      [fileKey(file)],
    );
    return row?.content ?? null;
  }

  async write(file: FileName, content: Uint8Array): Promise<void> {
    await this.#sql.query(
      `insert into private_shop.files (key, content) values ($1::text, $2::bytea)
       on conflict (key) do update set content = excluded.content`,
      [fileKey(file), content],
    );
  }

  /** Copies the files of the database's objects that are only in another place. */
  async adopt(place: Pick<StoredFiles, "read">): Promise<void> {
    const [table] = await this.#sql.query<{ found: boolean }>(
      "select to_regclass('storage.objects') is not null as found",
    );
    if (!table?.found) return;
    const objects = await this.#sql.query<FileName>(
      "select bucket_id as bucket, name, version from storage.objects",
    );
    const rows = await this.#sql.query<{ key: string }>("select key from private_shop.files");
    const stored = new Set(rows.map(({ key }) => key));
    for (const file of objects.filter((each) => !stored.has(fileKey(each)))) {
      const content = await place.read(file);
      if (content) await this.write(file, content);
    }
  }

  async remove(file: FileName): Promise<void> {
    const keys = allKeys(file);
    for (const key of keys) {
      this.#recentBytes -= this.#recent.get(key)?.size ?? 0;
      this.#recent.delete(key);
    }
    await this.#sql.query("delete from private_shop.files where key = any ($1::text[])", [toArray(keys)]);
  }

  async removeOrphans(listObjects: () => Promise<FileName[]>): Promise<void> {
    const old = await this.#sql.query<{ key: string }>(
      "select key from private_shop.files where created_at < clock_timestamp() - $1::text::interval",
      [`${orphanAgeMs} milliseconds`],
    );
    const named = new Set((await listObjects()).flatMap(allKeys));
    for (const { key } of old)
      if (!named.has(key))
        await this.#sql.query("delete from private_shop.files where key = $1::text", [key]);
  }
}
