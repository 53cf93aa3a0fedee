import { execFile, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { connectAsOwner, type OwnerClient } from "../../scripts/owner-client.ts";

/* npm run import-books with files that are imported in steps, while the shop runs. */

const command = join(import.meta.dirname, "../../scripts/import-books.ts");

describe("Importing a large file", { timeout: 180_000 }, () => {
  let dataDir = "";
  let shop: OwnerClient;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "large-imports-"));
    await copyPreparedFolder(dataDir);
    shop = await connectAsOwner(environment());
  });
  afterAll(async () => {
    await shop?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const environment = () => ({
    ...process.env,
    DATA_DIR: dataDir,
    SHOP_DEMO: "0",
    ADMIN_EMAIL: "",
    ADMIN_PASSWORD: "",
  });
  const run = (...words: string[]) =>
    new Promise<{ code: number; said: string; complained: string }>((resolve) => {
      execFile(process.execPath, words, { env: environment() }, (error, said, complained) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, said, complained }),
      );
    });
  const lastImport = async () => {
    const imports = shop.client.from("book_imports").select("status, applied_rows, total_rows, added");
    const { data } = await imports.order("created_at", { ascending: false }).limit(1).throwOnError();
    return data[0] as { status: string; applied_rows: number; total_rows: number; added: number } | undefined;
  };
  const countBooks = async () => (await shop.client.rpc("count_books").throwOnError()).data as number;

  it("continues after the last step when the command was killed, adds every row once, and can be undone in steps", async () => {
    const path = join(dataDir, "list.csv");
    const rows = Array.from({ length: 1_500 }, (_, at) => `Listed ${at},CODE-${at},${(at % 90) + 1},2`);
    await writeFile(path, ["title,isbn,price,stock", ...rows].join("\n"));
    const words = [command, path, "--rows-per-step", "100"];

    const killed = spawn(process.execPath, words, { env: environment(), stdio: "ignore" });
    const ended = new Promise((resolve) => killed.once("close", resolve));
    while (((await lastImport())?.applied_rows ?? 0) < 200) await sleep(20);
    killed.kill("SIGKILL");
    await ended;
    const half = await lastImport();
    expect(half).toMatchObject({ status: "applying", total_rows: 1_500 });
    expect(half?.applied_rows).toBeLessThan(1_500);
    // What the kill left running may still be committed, as a whole step.
    expect((await countBooks()) % 100).toBe(0);

    const refused = await run(...words, "--dry-run");
    expect(refused.complained).toMatch(/^This file is partly imported: [\d,]+ of 1,500 rows applied\./);
    const { code, said } = await run(...words);
    expect(said).toMatch(
      /This file is partly imported: [\d,]+ of 1,500 rows applied. Continuing from there./,
    );
    expect(said).toMatch(/^1,500 books added, 0 updated, 0 unchanged \(/m);
    expect(code).toBe(0);
    expect(await countBooks()).toBe(1_500);
    expect((await run(...words)).said).toMatch(/^0 books added, 0 updated, 1500 unchanged \(/m);

    await run(command, "--undo", "--yes");
    expect((await run(command, "--undo", "--yes", "--rows-per-step", "400")).said).toContain(
      "list.csv is taken back: 1,500 books deleted, 0 changed back, 0 kept.",
    );
    expect(await countBooks()).toBe(0);
  });

  it("needs less memory than the file has bytes", async () => {
    const path = join(dataDir, "huge.csv");
    function* lines() {
      yield "title,isbn,price,notes\n";
      for (let at = 0; at < 300; at += 1)
        yield `Huge ${at},HUGE-${at},${at % 100 ? 5 : "dear"},${"n".repeat(400_000)}\n`;
    }
    await pipeline(Readable.from(lines()), createWriteStream(path));
    const { code, said } = await run("--max-old-space-size=64", command, path, "--dry-run");
    expect(code).toBe(0);
    expect(said).toMatch(
      /^297 books would be added, 0 would be updated, 0 unchanged; not imported: 3 rows with problems/m,
    );
    const leftOut = await readFile(join(dataDir, "huge-to-repair.csv"), "utf8");
    expect(leftOut.match(/The price “dear” is not an amount/g)).toHaveLength(3);
  });
});
