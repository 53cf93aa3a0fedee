import { createHash } from "node:crypto";
import { heightOf, sizesOf } from "#shared/books/picture-sizes.ts";
import type { Backend } from "../api/backend.ts";
import { ConcurrencyLimit } from "../lib/concurrency-limit.ts";
import type { Log } from "../lib/log.ts";
import { networkOf } from "../lib/network.ts";
import { Refusal } from "../lib/refusal.ts";
import type { MakePicture, PictureSize } from "./picture-maker.ts";

type FindCover = NonNullable<Backend["findCover"]>;
type Cover = NonNullable<Awaited<ReturnType<FindCover>>>;

type SmallCovers = {
  findCover: FindCover;
  /** Where browsers load an original, by its name as it is in a URL. */
  originalUrl: (rawName: string) => string;
  makePicture: MakePicture;
  log: Pick<Log, "warn">;
  /** Milliseconds, as Date.now(). */
  now?: () => number;
};

/** Covers that can't be shown, in each process; the oldest is forgotten first. */
const MAX_FAILURES = 1_000;
/** A cover that was not there, or that could not be made although nothing is known to be wrong with it. */
const FORGET_MISSING_MS = 60_000;
const FORGET_FAILED_MS = 600_000;
/** The storage does not respond. */
const FORGET_UNREAD_MS = 5_000;

const YEAR_SECONDS = 31_536_000;
const types: Record<PictureSize["format"], string> = { webp: "image/webp", jpg: "image/jpeg" };

/** `/covers/book-cover-1700000000000.jpg/300.webp`: the name as in the URL, and a size that is made. */
function readPath(pathname: string): { rawName: string; size: string } | null {
  const [, rawName, size] = /^\/covers\/(.+)\/([^/]+)$/.exec(pathname) ?? [];
  return rawName && size && sizesOf(rawName).includes(size) ? { rawName, size } : null;
}

const readSize = (rawName: string, size: string): PictureSize => {
  const [text, format] = size.split(".");
  const width = Number(text);
  return { width, height: Math.round(width * heightOf(rawName)), format: format === "jpg" ? "jpg" : "webp" };
};

/** What only a JPEG begins with. */
const isJpeg = (content: Uint8Array) => content[0] === 0xff && content[1] === 0xd8 && content[2] === 0xff;

type Failure = "missing" | "bad" | "unread";
type Outcome = Failure | "unavailable" | { content: Uint8Array };

/**
 * Serves uploaded covers, and events' pictures, in the sizes that pages show. A size is made at its first request, once however many wait for it, and stored
 * beside the original. For a cover that can't be shown, an empty file is stored: nobody tries again.
 */
export function createSmallCovers({ findCover, originalUrl, makePicture, log, now = Date.now }: SmallCovers) {
  // One is read while another is made.
  const limit = new ConcurrencyLimit({ running: 2, each: 2 });
  const making = new Map<string, Promise<Outcome>>();
  const failures = new Map<string, { outcome: Failure; until: number }>();
  let isUnavailable = false;
  let isStoring = true;
  let isReading = true;

  function remember(key: string, outcome: Failure, ms: number): Failure {
    failures.set(key, { outcome, until: now() + ms });
    const [oldest] = failures.keys();
    if (failures.size > MAX_FAILURES && oldest !== undefined) failures.delete(oldest);
    return outcome;
  }

  /** A full disk costs time, not pictures. */
  async function store(cover: Cover, size: string, content: Uint8Array): Promise<void> {
    const code = await cover.writeSize(size, content).then(
      () => null,
      (error: { code?: string; name: string }) => error.code ?? error.name,
    );
    if (code !== null && isStoring) log.warn("Small covers can't be stored now", { code });
    isStoring = code === null;
  }

  async function make(cover: Cover, rawName: string, size: string): Promise<Outcome> {
    const key = `${cover.id} ${size}`;
    const original = await cover.read().catch((error: { code?: string; message: string }) => {
      if (isReading) log.warn("Covers can't be read now", { reason: error.code ?? error.message });
      isReading = false;
      return undefined;
    });
    if (original === undefined) return remember(key, "unread", FORGET_UNREAD_MS);
    isReading = true;
    if (!original) return remember(key, "missing", FORGET_MISSING_MS);
    const made = isJpeg(original)
      ? await makePicture(original, readSize(rawName, size))
      : ({ type: "unreadable", reason: "not a JPEG" } as const);
    if (made.type === "made") {
      await store(cover, size, made.content);
      return made;
    }
    if (made.type === "unavailable") {
      if (!isUnavailable)
        log.warn("Covers are served in the size of their upload: sharp can't be loaded on this machine");
      isUnavailable = true;
      return "unavailable";
    }
    log.warn("A cover can't be shown", { cover: rawName, size, reason: made.reason });
    if (made.type === "failed") return remember(key, "bad", FORGET_FAILED_MS);
    await store(cover, size, new Uint8Array());
    return remember(key, "bad", FORGET_FAILED_MS);
  }

  function makeOnce(cover: Cover, rawName: string, size: string, clientIp: string): Promise<Outcome> {
    const key = `${cover.id} ${size}`;
    const failed = failures.get(key);
    if (failed && failed.until > now()) return Promise.resolve(failed.outcome);
    failures.delete(key);
    const work = () => make(cover, rawName, size);
    // Whoever asked first may leave: others wait for it too.
    const outcome =
      making.get(key) ??
      limit
        .run({ kind: "public file", key: networkOf(clientIp) ?? clientIp }, work)
        .finally(() => making.delete(key));
    making.set(key, outcome);
    return outcome;
  }

  async function respond(request: Request, clientIp: string): Promise<Response> {
    const path = readPath(new URL(request.url).pathname);
    if (!path) return notFound();
    const { rawName } = path;
    const savesData = request.headers.get("save-data")?.toLowerCase() === "on" && path.size.endsWith("webp");
    const [smallest = path.size] = sizesOf(rawName);
    const size = savesData ? smallest : path.size;
    const cover = await findCover(rawName, clientIp, request.signal);
    if (!cover) return notFound();
    const etag = `"${createHash("sha256").update(`${cover.id} ${size}`).digest("base64url").slice(0, 22)}"`;
    const cached = request.headers.get("if-none-match")?.split(",") ?? [];
    const isCached = cached.some((tag) => tag.trim().replace(/^W\//, "") === etag);
    const headers = {
      "content-type": types[readSize(rawName, size).format],
      // A cache that ignores Vary must not give everybody the smallest.
      "cache-control": `${savesData ? "private" : "public"}, max-age=${YEAR_SECONDS}, immutable`,
      vary: "Save-Data",
      etag,
    };
    const withContent = !isCached && request.method !== "HEAD";
    const found = await cover.openSize(size, withContent);
    if (found?.size === 0) {
      if (found.body instanceof ReadableStream) await found.body.cancel();
      return notFound();
    }
    const outcome = found ?? (await makeOnce(cover, rawName, size, clientIp));
    if (outcome === "unavailable")
      return new Response(null, { status: 302, headers: { location: originalUrl(rawName) } });
    if (outcome === "unread") return busy();
    if (typeof outcome === "string") return notFound();
    if (isCached) return new Response(null, { status: 304, headers });
    const [body, length] =
      "content" in outcome
        ? [new Uint8Array(outcome.content), outcome.content.byteLength]
        : [outcome.body, outcome.size];
    return new Response(body, { headers: { ...headers, "content-length": String(length) } });
  }

  return (request: Request, clientIp: string): Promise<Response> =>
    respond(request, clientIp).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      return busy(error.headers);
    });
}

const plain = { "content-type": "text/plain; charset=utf-8" };

const busy = (headers: Record<string, string> = {}) =>
  new Response("Covers can't be shown now.", {
    status: 503,
    headers: { ...plain, "retry-after": "2", ...headers, "cache-control": "no-store" },
  });

/** A browser draws the cover instead. Soon asked again: it may be uploaded now. */
const notFound = () =>
  new Response("There is no such cover.", {
    status: 404,
    headers: { ...plain, "cache-control": `public, max-age=${FORGET_MISSING_MS / 1_000}` },
  });
