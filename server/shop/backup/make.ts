import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { StoredFiles } from "../../api/storage/stored-files.ts";
import { listApplied } from "../../database/migrations.ts";
import type { Sql } from "../../database/sql.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { BackupWriter, type FileHead, type Manifest } from "./backup-file.ts";
import { listPositions, listTables, readRows } from "./tables.ts";

export type Shop = { sql: Sql; files: StoredFiles; secrets: Secrets };

/** The database at a single moment, and the covers that belong to it. */
async function writeShop(writer: BackupWriter, { sql, files, secrets }: Shop): Promise<void> {
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
    const heads = await moment.query<FileHead>(
      "select bucket_id as bucket, name, version from storage.objects order by bucket_id, name",
    );
    for (const head of heads) await writer.file(head, await files.read(head, moment));
  }, "unbounded");
}

/**
 * Writes a backup of the running shop: the database at a single moment, then the covers, none of which is
 * deleted while they are read. No request waits for it.
 */
export async function makeBackup(shop: Shop, path: string): Promise<Manifest> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const writer = new BackupWriter(path);
  const release = await shop.files.keep();
  try {
    await writeShop(writer, shop);
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    await release();
  }
}
