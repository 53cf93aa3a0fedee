import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCodeTitle, addFileTitle, pdfOf } from "#tests/support/digital-client.ts";
import {
  command,
  type EmbeddedShop,
  newDataDir,
  openEmbeddedShop,
  owner,
  removeFolder,
  signIn,
  signUp,
} from "#tests/support/embedded-shop.ts";
import { type Client, fillCart } from "#tests/support/factories.ts";
import { startFakeProject } from "#tests/support/fake-project.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";

/* A digital file of several pieces, and licence codes, through backups and moves. */

const PIECE = 4_194_304;
const pdf = pdfOf(2 * PIECE + 1_234);
const hashOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
const secretKey = "sb_secret_of_a_project";

const closings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

async function newFolder(): Promise<string> {
  const folder = await newDataDir();
  closings.push(() => removeFolder(folder));
  return folder;
}

async function newEmptyDatabase(): Promise<string> {
  const { url, drop } = await newDatabase();
  closings.push(drop);
  return url;
}

async function open(env: NodeJS.ProcessEnv & { DATA_DIR: string }): Promise<EmbeddedShop> {
  const shop = await openEmbeddedShop(env);
  closings.push(shop.stop);
  return shop;
}

/** An order of one free digital title. */
async function take(member: { id: string; client: Client }, bookId: string): Promise<string> {
  await fillCart(member.client, bookId);
  const id = randomUUID();
  const row = { id, user_id: member.id, total_amount: 0, status: "pending", delivery_method: "download" };
  const { error } = await member.client.from("orders").insert(row);
  if (error) throw error;
  return id;
}

const downloadsOf = async ({ client }: { client: Client }, _order_id: string) =>
  JSON.stringify((await client.rpc("own_downloads", { _order_id })).data);

let old: EmbeddedShop;
let fileId = "";
const bought = { email: "", file: "", code: "", book: "" };
beforeAll(async () => {
  const dataDir = await newFolder();
  await copyPreparedFolder(dataDir, "demo");
  old = await open({ DATA_DIR: dataDir });
  const admin = (await signIn(old, owner.email, owner.password)).client;
  const reader = await addFileTitle(admin, pdf, "Reader.pdf", { price: 0 });
  const codes = await addCodeTitle(admin, ["CODE-1", "CODE-2"], { price: 0 });
  const { data } = await admin.rpc("list_digital", { _book_id: reader.id });
  fileId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(JSON.stringify(data))?.[0] ?? "";
  const person = await signUp(old);
  const file = await take(person, reader.id);
  const code = await take(person, codes.id);
  expect(await downloadsOf(person, code)).toContain("CODE-1");
  Object.assign(bought, { email: person.email, file, code, book: codes.id });
});

const pieces = () => [1, 2, 3].map((number) => `digital-files/${fileId}/000${number}`);
const content = (piece: number) => pdf.subarray(piece * PIECE, (piece + 1) * PIECE);

test("a backup restored elsewhere has the whole file, the given code, and gives the next one", async () => {
  const path = join(old.dataDir, "digital.jsonl.gz");
  expect((await command("backup", [path], { DATA_DIR: old.dataDir })).output).toMatch(/, 3 files\.$/);
  const place = { DATA_DIR: await newFolder(), DATABASE_URL: await newEmptyDatabase() };
  const restored = await command("restore", [path], place);
  expect(restored.output).toMatch(/^Restored and compared: [\d,]+ rows in \d+ tables, 3 files\./);

  const shop = await open(place);
  const person = await signIn(shop, bought.email);
  const started = await person.client.rpc("start_download", { _order_id: bought.file, _file_id: fileId });
  expect(started.error).toBeNull();
  for (const [piece, name] of pieces().entries()) {
    const [bucket = "", ...rest] = name.split("/");
    const admin = (await signIn(shop, owner.email, owner.password)).client;
    const { data } = await admin.storage.from(bucket).download(rest.join("/"));
    expect(hashOf(await (data ?? new Blob()).bytes())).toBe(hashOf(content(piece)));
  }
  expect(await downloadsOf(person, bought.code)).toContain("CODE-1");
  const next = await downloadsOf(person, await take(person, bought.book));
  expect(next).toContain("CODE-2");
  expect(next).not.toContain("CODE-1");
  const { error } = await (async () => {
    await fillCart(person.client, bought.book);
    const row = { id: randomUUID(), user_id: person.id, total_amount: 0, status: "pending" };
    return person.client.from("orders").insert({ ...row, delivery_method: "download" });
  })();
  expect(error?.code).toBe("PT409");
});

test("moving to a hosted project uploads every piece with its type, and takes the codes along", async () => {
  const databaseUrl = await newEmptyDatabase();
  expect((await command("migrate", [], { DATABASE_URL: databaseUrl })).code).toBe(0);
  const project = await startFakeProject(databaseUrl, secretKey);
  closings.push(project.stop);
  const env = {
    SUPABASE_URL: project.url,
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_of_a_project",
    SUPABASE_SECRET_KEY: secretKey,
    DATABASE_URL: databaseUrl,
    SITE_URL: "http://shop.example",
  };
  const { code, output } = await command("move", [old.dataDir, "--yes"], env);
  expect(output).toMatch(/Moved and compared: .*, 3 files\./);
  expect(code).toBe(0);
  expect([...project.stored.keys()].sort()).toEqual(pieces());
  for (const [piece, name] of pieces().entries()) {
    const stored = project.stored.get(name);
    expect(stored?.type).toBe(piece === 0 ? "application/pdf" : "application/octet-stream");
    expect(hashOf(stored?.content ?? Buffer.alloc(0))).toBe(hashOf(content(piece)));
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  expect(
    await sql`select code, order_id from private.licence_codes order by id`.then((rows) => [...rows]),
  ).toEqual([
    { code: "CODE-1", order_id: bought.code },
    { code: "CODE-2", order_id: null },
  ]);
  const [file] = await sql`select id, size::int, pieces, removed_at from private.digital_files`;
  expect(file).toMatchObject({ id: fileId, size: pdf.length, pieces: 3, removed_at: null });
  await sql.end();
});
