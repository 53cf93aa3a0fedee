import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Row } from "#server/api/data/transaction.ts";
import type { Exchange } from "#server/api/storage/storage-api.ts";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";

/** A request on its way, over a folder of its own and a database that answers one row. */
export async function exchange(others: Partial<Exchange>, row: (string | null)[] = []) {
  const folder = await mkdtemp(join(tmpdir(), "storage-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const asked: { text: string; values: unknown[] }[] = [];
  const bytes = row.map((each) => (each === null ? null : Buffer.from(each))) as Row;
  const files = new ObjectFiles(folder);
  const whole: Exchange = {
    request: new Request("http://shop.example", { method: "POST", headers: { "content-type": "image/png" } }),
    body: null,
    bucket: { id: "covers", file_size_limit: null, allowed_mime_types: null },
    name: "a.jpg",
    caller: { role: "authenticated", userId: "7", claims: {} },
    files,
    run: async (statement, accepts) => {
      asked.push(statement);
      await accepts?.(bytes);
      return bytes;
    },
    ...others,
  };
  return { exchange: whole, asked, files };
}

export const json = (value: unknown) => Buffer.from(JSON.stringify(value));
