import type { Sql } from "../../database/sql.ts";
import type { Client, ConcurrencyLimit } from "../../lib/concurrency-limit.ts";
import { Refusal } from "../../lib/refusal.ts";
import type { ReadPiece } from "../backend.ts";
import type { Caller } from "../caller.ts";
import type { Statement } from "../data/sql-text.ts";
import type { Row, Transactions } from "../data/transaction.ts";
import { readAddress } from "./address.ts";
import { findPublicObject, respondWithFile, respondWithObject } from "./download.ts";
import { listObjects, removeObjects } from "./objects.ts";
import { piecesBucket } from "./piece-types.ts";
import { noSuchAddress, notFound } from "./refusals.ts";
import { type StoredCover, storedCover } from "./stored-cover.ts";
import type { StoredFiles } from "./stored-files.ts";
import { insertSql, storeUpload } from "./upload.ts";

type StorageParts = {
  sql: Sql;
  transactions: Transactions;
  limit: ConcurrencyLimit;
  publicFileLimit: ConcurrencyLimit;
  files: StoredFiles;
};

export type Bucket = { id: string; file_size_limit: number | null; allowed_mime_types: string[] | null };

/** One request, as the storage's parts use it. */
export type Exchange = {
  request: Request;
  body: Uint8Array | null;
  bucket: Bucket;
  name: string;
  caller: Caller;
  files: StoredFiles;
  /** Runs a statement in the caller's name; `beforeCommit` may still undo it by throwing or returning false. */
  run: (statement: Statement, beforeCommit?: (row: Row) => Promise<boolean>) => Promise<Row>;
};

/** Who sends a request, and whose turn it takes. */
export type Sender = { caller: Caller; client: Client };

type StorageApi = {
  handle: (
    request: Request,
    body: Uint8Array | null,
    /** The client's network: public files are served without identification. */
    network: string,
    findSender: () => Promise<Sender>,
  ) => Promise<Response>;
  /**
   * Checks that the bucket's policies let this caller add the file of this URL.
   * @throws what they raise
   */
  checkUpload: (sender: Sender, path: string, signal: AbortSignal) => Promise<void>;
  /**
   * @param rawName as in a URL
   * @param network the client's, whose turn it takes
   */
  findCover: (rawName: string, network: string, signal: AbortSignal) => Promise<StoredCover | null>;
  readPiece: ReadPiece;
};

const coversBucket = "book-covers";

/** The subset of a hosted project's storage that the shop uses. Rights are the policies on storage.objects. */
export function createStorageApi(parts: StorageParts): StorageApi {
  const { sql, transactions, limit, publicFileLimit, files } = parts;

  async function findBucket(id: string): Promise<Bucket> {
    const [bucket] = await sql.query<Bucket>(
      "select id, file_size_limit::float8 as file_size_limit, allowed_mime_types from storage.buckets where id = $1::text",
      [id],
    );
    if (!bucket) throw new Refusal(404, "Bucket not found", "Bucket not found");
    return bucket;
  }

  return {
    async handle(request, body, network, findSender) {
      const { method, signal } = request;
      const { call, bucket: bucketId, name } = readAddress(new URL(request.url).pathname);
      const isLook = method === "GET" || method === "HEAD";
      if (call === "public") {
        if (!isLook || name === "") throw noSuchAddress();
        const find = () => findPublicObject(sql, bucketId, name);
        const look = async () => {
          const client = { kind: "public file", key: network } as const;
          const found = await publicFileLimit.run(client, find, signal);
          if (!found) throw notFound();
          const file = { bucket: bucketId, name, version: found.version };
          return respondWithFile({ request, files, file, metadata: found.metadata, scope: "public" });
        };
        // It was replaced between the two lookups and has a new version.
        const response = (await look()) ?? (await look());
        if (!response) throw notFound();
        return response;
      }
      const { caller, client } = await findSender();
      const bucket = await findBucket(bucketId);
      const exchange: Exchange = {
        request,
        body,
        bucket,
        name,
        caller,
        files,
        run: (statement, beforeCommit) =>
          limit.run(
            client,
            () =>
              transactions.run({
                caller,
                statement,
                isReadOnly: false,
                signal,
                ...(beforeCommit ? { accepts: beforeCommit } : {}),
              }),
            signal,
            body?.byteLength,
          ),
      };
      if (call === "list") {
        if (method !== "POST" || name !== "") throw noSuchAddress();
        return listObjects(exchange);
      }
      if (isLook && name !== "") return respondWithObject(exchange);
      if (call === "authenticated") throw noSuchAddress();
      if (method === "DELETE") return removeObjects(exchange);
      if ((method === "POST" || method === "PUT") && name !== "") return storeUpload(exchange);
      throw noSuchAddress();
    },

    async findCover(rawName, network, signal) {
      const { name } = readAddress(`/storage/v1/object/public/${coversBucket}/${rawName}`);
      const find = () => findPublicObject(sql, coversBucket, name);
      const found = await publicFileLimit.run({ kind: "public file", key: network }, find, signal);
      return found && storedCover({ bucket: coversBucket, name, version: found.version }, files);
    },

    async readPiece(name) {
      const [piece] = await sql.query<{ version: string | null }>(
        "select version from storage.objects where bucket_id = $1::text and name = $2::text",
        [piecesBucket, name],
      );
      const content = piece && (await files.read({ bucket: piecesBucket, name, version: piece.version }));
      return content ? new Uint8Array(content) : null;
    },

    async checkUpload({ caller, client }, path, signal) {
      const { call, bucket, name } = readAddress(path);
      if (call !== "object" || name === "") throw noSuchAddress();
      await findBucket(bucket);
      const statement = insertSql({ bucket, name, caller, metadata: {}, version: "", overwrites: true });
      const check = () =>
        transactions.run({ caller, statement, isReadOnly: false, accepts: () => false, signal });
      await limit.run(client, check, signal);
    },
  };
}
