/** Apart from the built-in covers, whose names are 4 kB: pages with a publisher's logo alone do without them. */

/** Recognises the shop's own covers on any host. */
export const BUCKET_PATH = "/storage/v1/object/public/book-covers/";

/**
 * Where this site serves an uploaded cover in a size that it makes itself (server/web/small-covers.ts); null for an image from
 * elsewhere.
 * @param url from `bookCoverUrl`
 */
export function smallCoverUrl(url: string, size: string): string | null {
  const [, name] = url.split(BUCKET_PATH);
  // In a srcset a comma ends a URL.
  return name ? `/covers/${name.replace(/[?].*/, "").replaceAll(",", "%2C")}/${size}` : null;
}

/** A name or URL with no character that an engine would escape. */
const PLAIN_HOST = /^([a-z\d.-]+|\[[\da-f:.]+\])$/;

/**
 * The address to load an image from, or null when it must not be shown. An image of the bucket book-covers is found
 * by its name at today's backend, whatever host was stored with it; any other image must be https.
 */
export function bookCoverUrl(imageUrl: string | null, backendUrl: string): string | null {
  const stored = imageUrl?.trim();
  if (!stored || !URL.canParse(stored, "https://stored.invalid")) return null;
  const url = new URL(stored, "https://stored.invalid");
  const { protocol, hostname, username, password } = url;
  // Browsers escape in a host what Node refuses.
  if (!PLAIN_HOST.test(hostname) || username || password) return null;
  const isWeb = protocol === "https:" || protocol === "http:";
  const bucketAt = url.pathname.indexOf(BUCKET_PATH);
  if (isWeb && bucketAt >= 0) {
    const name = url.pathname.slice(bucketAt + BUCKET_PATH.length);
    return name ? `${backendUrl.replace(/\/+$/, "")}${BUCKET_PATH}${escapeAll(name + url.search)}` : null;
  }
  if (protocol !== "https:" || hostname === "stored.invalid") return null;
  return url.origin + escapeAll(url.pathname + url.search);
}

/** Engines differ in what they escape in a path (`^`, `|`, `'`): here everything is that may be. */
function escapeAll(pathAndQuery: string): string {
  return pathAndQuery.replace(
    /[^\w\-.~:/?@!$&()*+,;=%]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
