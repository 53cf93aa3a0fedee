/* What tests of digital titles create, in SQL. Those of the storage are in tests/contract/storage. */
import { randomUUID } from "node:crypto";
import type { Database, Row } from "./database.ts";
import { addBook, type TestBook } from "./database-factories.ts";
import type { SignedIn } from "./people.ts";

const PIECE_BYTES = 4_194_304;

/** The rows of a file's pieces, as uploads leave them. */
export async function addPieces(
  database: Database,
  id: string,
  size: number,
  type = "application/pdf",
): Promise<number> {
  const pieces = Math.ceil(size / PIECE_BYTES);
  for (let piece = 1; piece <= pieces; piece += 1)
    await database.query(
      "insert into storage.objects (bucket_id, name, metadata) values ('digital-files', $1, $2)",
      [
        `${id}/${String(piece).padStart(4, "0")}`,
        {
          size: piece < pieces ? PIECE_BYTES : size - (pieces - 1) * PIECE_BYTES,
          mimetype: piece === 1 ? type : "application/octet-stream",
        },
      ],
    );
  return pieces;
}

export type NewFile = { id?: string; name?: string; size?: number; type?: string };

/** Uploads a file of a title and adds it, as staff do; returns its id. */
export async function addFile(
  database: Database,
  admin: SignedIn,
  book: { id: string },
  { id = randomUUID(), name = "A file.pdf", size = 5_000_000, type = "application/pdf" }: NewFile = {},
): Promise<string> {
  const pieces = await addPieces(database, id, size, type);
  await database.as(admin, (query) =>
    query("select public.add_digital_file($1, $2, $3, $4, $5, $6, $7)", [
      id,
      book.id,
      name,
      type,
      size,
      pieces,
      "a".repeat(64),
    ]),
  );
  return id;
}

/** A title that is delivered as this many licence codes. */
export async function addCodeTitle(
  database: Database,
  admin: SignedIn,
  codes: number,
  book: Partial<TestBook> & Row = {},
): Promise<TestBook> {
  const title = await addBook(database, { kind: "digital", digital_by: "code", stock: 0, ...book });
  for (let from = 0; from < codes; from += 1_000)
    await addCodes(
      database,
      admin,
      title,
      Array.from({ length: Math.min(1_000, codes - from) }, (_, n) => `${title.id.slice(0, 8)}-${from + n}`),
    );
  return title;
}

export async function addCodes(
  database: Database,
  admin: SignedIn,
  title: { id: string },
  codes: (string | null)[],
): Promise<Row> {
  const [row] = await database.as(admin, (query) =>
    query<{ added: Row }>("select public.add_licence_codes($1, $2) as added", [title.id, codes]),
  );
  return row?.added ?? {};
}

/** The codes that an order got, oldest first. */
export async function codesOf(database: Database, orderId: string): Promise<string[]> {
  const rows = await database.query<{ code: string }>(
    "select code from private.licence_codes where order_id = $1 order by id",
    [orderId],
  );
  return rows.map(({ code }) => code);
}
