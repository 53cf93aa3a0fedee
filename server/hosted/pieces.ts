import type { ReadPiece } from "../api/backend.ts";

const TIMEOUT_MS = 60_000;
/** The bucket takes 4 MiB. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads pieces of digital titles' files from a hosted project's private bucket, with its secret key. */
export const hostedPieces =
  ({ url, secretKey }: { url: string; secretKey: string }): ReadPiece =>
  async (name) => {
    const response = await fetch(new URL(`/storage/v1/object/authenticated/digital-files/${name}`, url), {
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}` },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok && Number(response.headers.get("content-length") ?? 0) <= MAX_BYTES)
      return response.bytes();
    await response.body?.cancel();
    // Its storage responds with 400, and has the real status in the body.
    if (response.status === 404 || response.status === 400) return null;
    throw new Error(`The project responded with ${response.status}`);
  };
