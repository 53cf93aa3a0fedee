import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Backend, ReadPiece } from "../api/backend.ts";
import { linkPage } from "../emails/link-page.ts";
import { clientAddress } from "../lib/client-address.ts";
import { log } from "../lib/log.ts";
import { networkOf } from "../lib/network.ts";
import type { Settings } from "../lib/settings.ts";
import { readShopAsVisitor } from "./call-as-visitor.ts";
import { downloadName } from "./download-name.ts";

/** private.piece_bytes in the database. */
const PIECE_BYTES = 4_194_304;
/**
 * Simultaneous downloads in this process, each with at most two pieces in memory, and for one network, which
 * may be a school's.
 */
const MOST = 24;
const MOST_EACH = 8;

/** As private.find_download returns it; null for an unknown token. */
type Download = {
  state: "ready" | "expired" | "used" | "ended";
  id: string;
  name: string;
  type: string;
  size: number;
  pieces: number;
  sha256: string;
} | null;

/** The first and the last byte that are sent. */
type Span = { from: number; to: number };

const tokenForm = /^[0-9a-f]{32}$/;

const pages = {
  unknown: {
    status: 404,
    title: "This link doesn't work",
    text: "It is too old, or part of it is missing. Open your order and click Download again.",
  },
  expired: {
    status: 410,
    title: "This link has expired",
    text: "A link works for a limited time. Open your order and click Download again.",
  },
  used: {
    status: 410,
    title: "This link has been used too often",
    text: "A link sends its file a limited number of times. Open your order and click Download again.",
  },
  ended: {
    status: 410,
    title: "This can't be downloaded any more",
    text: "The order was cancelled or refunded, or the file is no longer available. If that's unexpected, please contact us.",
  },
  missing: {
    status: 503,
    title: "This file can't be read now",
    text: "Something went wrong on our side. Please try again later, or contact us.",
  },
  busy: {
    status: 503,
    title: "Too many downloads at once",
    text: "Please wait until another download has finished, then try again.",
  },
} as const;

/**
 * The requested range, null for the whole file, or 'none' if the file has no such bytes. Multiple and malformed
 * ranges get the whole file (RFC 9110, 14.2).
 */
export function readRange(header: string | null, size: number): Span | null | "none" {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 ? "none" : { from: Math.max(0, size - Number(last)), to: size - 1 };
  if (last !== "" && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return "none";
  return { from: Number(first), to: Math.min(last === "" ? size - 1 : Number(last), size - 1) };
}

/** A name in both forms: ASCII for old clients, and UTF-8 (RFC 6266). */
export function contentDisposition(name: string): string {
  const plain =
    name
      .normalize("NFKD")
      .replace(/[^ -~]/g, "")
      .replace(/["\\%/]/g, "_")
      .trim() || "download";
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const pieceName = (id: string, piece: number) => `${id}/${String(piece).padStart(4, "0")}`;

type Streamed = {
  file: NonNullable<Download>;
  span: Span;
  readPiece: ReadPiece;
  /** Counts bytes that are to be sent, and looks the link up again: a refund ends a running download. */
  count: (bytes: number) => Promise<Download>;
  /** Ends the connection, so that the client can't take what it has for the whole file. */
  cut: () => void;
  onEnd: () => void;
};

/**
 * The bytes of a range, piece by piece as the client reads them.
 * @returns why nothing can be sent: the link's state, or 'missing' without the first piece
 */
async function streamSpan({
  file,
  span,
  readPiece,
  count,
  cut,
  onEnd,
}: Streamed): Promise<ReadableStream<Uint8Array> | "used" | "ended" | "missing"> {
  let piece = Math.floor(span.from / PIECE_BYTES) + 1;
  const last = Math.floor(span.to / PIECE_BYTES) + 1;
  const read = async () => {
    const content = await readPiece(pieceName(file.id, piece));
    const expected = piece < file.pieces ? PIECE_BYTES : file.size - (file.pieces - 1) * PIECE_BYTES;
    if (content?.byteLength === expected) return content;
    log.error("A piece of a digital title's file is missing", { file: file.id, piece });
    return null;
  };
  const inSpan = (content: Uint8Array) => {
    const start = (piece - 1) * PIECE_BYTES;
    return content.subarray(Math.max(0, span.from - start), span.to - start + 1);
  };
  /** What ends the link before this piece is sent. One that expires meanwhile doesn't. */
  const problem = async () => {
    const start = (piece - 1) * PIECE_BYTES;
    const bytes = Math.min(span.to, start + PIECE_BYTES - 1) - Math.max(span.from, start) + 1;
    const state = (await count(bytes))?.state ?? "ended";
    return state === "used" || state === "ended" ? state : null;
  };
  /** An error of the stream would be printed by the server's adapter, with its stack. */
  const end = () => {
    onEnd();
    cut();
  };
  let next: Uint8Array | null = await read();
  if (!next) return "missing";
  const refused = await problem();
  if (refused) return refused;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          if (!next && (await problem())) {
            log.info("a running download was ended: its link no longer leads to the file", {
              file: file.id,
            });
            return end();
          }
          const content = next ?? (await read());
          next = null;
          if (!content) return end();
          controller.enqueue(inSpan(content));
        } catch (error) {
          // Logs neither the token nor its user.
          log.warn("a download failed", { error: (error as Error).name });
          return end();
        }
        if (piece === last) {
          onEnd();
          controller.close();
        }
        piece += 1;
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  );
}

/** Counts running downloads. */
function createSlots(most: number, mostEach: number) {
  const running = new Map<string, number>();
  let all = 0;
  return (key: string): (() => void) | null => {
    const own = running.get(key) ?? 0;
    if (all >= most || own >= mostEach) return null;
    all += 1;
    running.set(key, own + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      all -= 1;
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    };
  };
}

/**
 * The web server's route /downloads/{token}: the files of digital titles, for anyone with a link from
 * start_download.
 */
export function downloadRoutes(
  settings: Settings,
  backend: Backend,
  { most = MOST, mostEach = MOST_EACH } = {},
): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  const takeSlot = createSlots(most, mostEach);

  async function page(kind: keyof typeof pages): Promise<Response> {
    const shop = await readShopAsVisitor(backend).catch(() => ({ name: new URL(settings.siteUrl).host }));
    const response = linkPage({
      shopName: shop.name,
      ...pages[kind],
      link: { label: "My orders", path: "/orders" },
    });
    response.headers.set("cache-control", "private, no-store");
    return response;
  }

  routes.get("/:token", async (c) => {
    const { call, readPiece } = backend;
    const _token = c.req.param("token");
    if (!tokenForm.test(_token)) return page("unknown");
    if (!call || !readPiece) return page("missing");
    const count = async (_bytes: number) => (await call("find_download", { _token, _bytes })) as Download;
    const isHead = c.req.method === "HEAD";
    let release = () => {};
    try {
      const file = await count(0);
      if (!file) return await page("unknown");
      if (file.state !== "ready") return await page(file.state);
      const etag = `"${file.sha256}"`;
      const condition = c.req.header("if-range");
      const range =
        condition && condition !== etag ? null : readRange(c.req.header("range") ?? null, file.size);
      const headers = new Headers({
        "content-type": file.type,
        "content-disposition": contentDisposition(downloadName(file.name, file.type)),
        "accept-ranges": "bytes",
        etag,
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        // The address holds the token.
        "referrer-policy": "no-referrer",
      });
      if (range === "none") {
        headers.set("content-range", `bytes */${file.size}`);
        return new Response(null, { status: 416, headers });
      }
      const span = range ?? { from: 0, to: file.size - 1 };
      headers.set("content-length", String(span.to - span.from + 1));
      if (range) headers.set("content-range", `bytes ${span.from}-${span.to}/${file.size}`);
      const status = range ? 206 : 200;
      if (isHead) return new Response(null, { status, headers });
      const ip = clientAddress(c.env.incoming, settings);
      const slot = takeSlot(networkOf(ip) ?? ip);
      if (!slot) return await page("busy");
      release = slot;
      const cut = () => c.env.outgoing.destroy();
      const body = await streamSpan({ file, span, readPiece, count, cut, onEnd: release });
      if (typeof body !== "string") return new Response(body, { status, headers });
      release();
      return await page(body);
    } catch (error) {
      release();
      // Logs neither the token nor its user.
      log.warn("a download failed", { error: (error as Error).name });
      return page("missing");
    }
  });
  return routes;
}
