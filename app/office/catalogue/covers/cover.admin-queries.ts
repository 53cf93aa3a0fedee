import type { BackendClient } from "#app/lib/backend/client.ts";
import { failureFrom } from "#app/lib/backend/response.ts";

const BUCKET = "book-covers";
const CACHE_SECONDS = 3600;

/** The bucket's rate limit; a hosted project appends it to a longer message, with status 500. */
const LIMIT_SENTENCE = /You have uploaded \d+ covers within .*$/;

/**
 * Uploads a cover to the bucket and returns its public URL. `at` names the file, in milliseconds.
 * @throws BackendFailure
 */
export const uploadCover = (client: BackendClient, jpeg: Blob, at: number) =>
  uploadPicture(client, jpeg, `book-cover-${at}.jpg`);

/**
 * Uploads a picture to the bucket under a name that it has no file of yet, and returns its public URL.
 * @throws BackendFailure
 */
export async function uploadPicture(client: BackendClient, jpeg: Blob, path: string): Promise<string> {
  const bucket = client.storage.from(BUCKET);
  const { error } = await bucket.upload(path, jpeg, {
    cacheControl: String(CACHE_SECONDS),
    contentType: "image/jpeg",
    upsert: false,
  });
  if (error) {
    const message = LIMIT_SENTENCE.exec(error.message)?.[0];
    throw failureFrom(message ? { code: "PT429", message } : {}, error.status ?? 0);
  }
  return bucket.getPublicUrl(path).data.publicUrl;
}
