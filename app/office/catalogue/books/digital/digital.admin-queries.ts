import type { BackendClient } from "#app/lib/backend/client.ts";
import { failureFrom, unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { PieceStore } from "./upload-file.ts";

const BUCKET = "digital-files";
/** More pieces than a file can have. */
const MOST_PIECES = 100;

/** A file of a digital title; `sold` is the number of copies in paid orders. */
export type DigitalFile = {
  id: string;
  name: string;
  type: string;
  size: number;
  added_at: string;
  sold: number;
};

export type DigitalContent = {
  digital_by: string;
  files: DigitalFile[];
  codes: { free: number; held: number; given: number };
};

/**
 * The files and code counts of a digital title; null for other titles.
 * @throws BackendFailure
 */
export async function listDigital(client: BackendClient, bookId: string): Promise<DigitalContent | null> {
  const response = await client.rpc("list_digital", { _book_id: bookId });
  unwrapDone(response);
  return response.data as DigitalContent | null;
}

type NewFile = {
  id: string;
  bookId: string;
  name: string;
  type: string;
  size: number;
  pieces: number;
  sha256: string;
};

/** Adds an uploaded file; idempotent by its id. @throws BackendFailure */
export async function addDigitalFile(client: BackendClient, file: NewFile): Promise<void> {
  const { id, bookId, name, type, size, pieces, sha256 } = file;
  unwrapDone(
    await client.rpc("add_digital_file", {
      _id: id,
      _book_id: bookId,
      _name: name,
      _type: type,
      _size: size,
      _pieces: pieces,
      _sha256: sha256,
    }),
  );
}

/** @throws BackendFailure */
export async function removeDigitalFile(client: BackendClient, fileId: string): Promise<void> {
  unwrapDone(await client.rpc("remove_digital_file", { _id: fileId }));
}

/**
 * Adds at most 1,000 codes.
 * @returns how many are new, and how many the title has or had
 * @throws BackendFailure
 */
export async function addLicenceCodes(client: BackendClient, bookId: string, codes: string[]) {
  return unwrap(await client.rpc("add_licence_codes", { _book_id: bookId, _codes: codes })) as {
    added: number;
    known: number;
  };
}

/** Deletes the codes that no order has or holds. @returns how many @throws BackendFailure */
export async function withdrawFreeCodes(client: BackendClient, bookId: string): Promise<number> {
  return unwrap(await client.rpc("withdraw_free_codes", { _book_id: bookId }));
}

/**
 * The codes of an order; reading them is logged.
 * @throws BackendFailure
 */
export async function listOrderCodes(client: BackendClient, orderId: string) {
  const given = unwrap(await client.rpc("list_given_codes", { _order_id: orderId }));
  return given as { book_id: string; title: string; codes: string[] }[];
}

/** The storage's refusals are written for users, like those of the shop's functions. */
const storageFailure = ({ message, status = 0 }: { message: string; status?: number }) =>
  failureFrom({ code: `PT${status}`, message }, status);

/** The pieces of files, the first with the file's type. */
export function pieceStore(client: BackendClient, type: string): PieceStore {
  const bucket = client.storage.from(BUCKET);
  return {
    async list(fileId) {
      const { data, error } = await bucket.list(fileId, { limit: MOST_PIECES });
      if (error) throw storageFailure(error);
      return new Map(data.map(({ name, metadata }) => [Number(name), Number(metadata?.size)]));
    },
    async send(fileId, piece, bytes) {
      const path = `${fileId}/${String(piece).padStart(4, "0")}`;
      const contentType = piece === 1 ? type : "application/octet-stream";
      // In a form, each part has its own content type. A piece whose response was lost is sent again.
      const typed = bytes.slice(0, bytes.size, contentType);
      const { error } = await bucket.upload(path, typed, { contentType, upsert: true });
      if (error) throw storageFailure(error);
    },
  };
}
