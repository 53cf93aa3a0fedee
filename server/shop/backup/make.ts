import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ObjectFiles } from "../../api/storage/stored-files.ts";
import { listApplied } from "../../database/migrations.ts";
import type { Sql } from "../../database/sql.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { BackupWriter, type FileHead, type Manifest } from "./backup-file.ts";
import { listPositions, listTables, readRows } from "./tables.ts";

export type Shop = { sql: Sql; files: ObjectFiles; secrets: Secrets };

/** The database at a single moment; returns the objects that belong to it. */
async function writeDatabase(writer: BackupWriter, sql: Sql, secrets: Secrets): Promise<FileHead[]> {
  return sql.transaction(async (moment) => {
    await moment.exec("set transaction isolation level repeatable read, read only");
    await moment.exec("set local timezone = 'UTC'");
    const migrations = await listApplied(moment);
    await writer.start(
      migrations.map(({ version }) => version),
      secrets,
      new Date(),
    );
    for (const table of await listTables(moment)) {
      await writer.table(table);
      for await (const rows of readRows(moment, table)) await writer.rows(rows);
    }
    for (const position of await listPositions(moment)) await writer.position(position);
    return moment.query<FileHead>(
      "select bucket_id as bucket, name, version from storage.objects order by bucket_id, name",
    );
  }, "unbounded");
}

/**
 * Writes a backup of the running shop: the database at a single moment, then the covers, none of which is
 * deleted while they are read. No request waits for it.
 */
export async function makeBackup({ sql, files, secrets }: Shop, path: string): Promise<Manifest> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const writer = new BackupWriter(path);
  const release = await files.keep();
  try {
    for (const head of await writeDatabase(writer, sql, secrets)) {
      const content = await readFile(files.path(head)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      await writer.file(head, content);
    }
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    await release();
  }
}
