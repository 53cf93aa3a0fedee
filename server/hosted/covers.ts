import type { Backend } from "../api/backend.ts";
import type { Settings } from "../lib/settings.ts";

type FindCover = NonNullable<Backend["findCover"]>;
type Cover = NonNullable<Awaited<ReturnType<FindCover>>>;

type Hosted = Pick<NonNullable<Settings["hosted"]>, "url">;

/** As in `server/api/storage/address.ts`. */
const validName = /^[\w/!\-.*'() &$@=;:+,?]{1,1000}$/;
/** The bucket takes 5 MB. */
const MAX_BYTES = 6 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** The project tells nobody that a cover was deleted. */
const CHECK_AFTER_MS = 24 * 60 * 60 * 1000;

async function readUpTo(response: Response, bytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.byteLength;
    if (length > bytes) throw new Error("The cover is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Finds covers in a hosted project's bucket. A size that was made is used without asking for the original; once a day, whether the
 * original is still there.
 * @param coverOf a cover whose sizes are stored on this machine
 */
export function findHostedCovers(
  { url }: Hosted,
  coverOf: (name: string, read: Cover["read"]) => Cover,
  now = Date.now,
): FindCover {
  return async (rawName) => {
    const name = decode(rawName);
    if (name === null || !validName.test(name)) return null;
    const fetchOriginal = (method: string) =>
      fetch(new URL(`/storage/v1/object/public/book-covers/${rawName}`, url), {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    const cover = coverOf(name, async () => {
      const response = await fetchOriginal("GET");
      if (response.ok) return readUpTo(response, MAX_BYTES);
      await response.body?.cancel();
      // Its storage responds with 400, and has the real status in the body.
      if (response.status === 404 || response.status === 400) return null;
      throw new Error(`The project responded with ${response.status}`);
    });
    return {
      ...cover,
      openSize: async (size, withContent) => {
        const stored = await cover.openSize(size, false);
        if (!stored) return null;
        if (now() - stored.modified.getTime() > CHECK_AFTER_MS) {
          const { status } = await fetchOriginal("HEAD").catch(() => ({ status: 503 }));
          if (status === 404 || status === 400) return null;
          if (status < 400) await renew(cover, size);
        }
        return cover.openSize(size, withContent);
      },
    };
  };
}

/** Written again, it counts as checked now. */
async function renew(cover: Cover, size: string): Promise<void> {
  const stored = await cover.openSize(size, true);
  if (!stored) return;
  const content = await new Response(stored.body).bytes();
  await cover.writeSize(size, content).catch(() => {});
}

function decode(rawName: string): string | null {
  try {
    return decodeURIComponent(rawName);
  } catch {
    return null;
  }
}
