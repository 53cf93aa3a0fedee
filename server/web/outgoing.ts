import { shortBodyBytes } from "../lib/short-bodies.ts";

/** Less than this waits in the operating system's buffers, and is not counted. */
const SMALL_BYTES = shortBodyBytes;
/** The most that may wait for one network (a school's pupils together), and for all. */
const MAX_BYTES_EACH = 24 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

const busy = () =>
  Response.json(
    { code: "PT503", message: "The shop is busy. Please try again in a moment." },
    { status: 503, headers: { "retry-after": "2", "cache-control": "no-store" } },
  );

/**
 * Counts the backend's large responses until they have been read: clients that read slowly, or not at all, must not fill the memory, nor
 * keep files open.
 */
export function createOutgoing(maxEach = MAX_BYTES_EACH, maxTotal = MAX_BYTES) {
  const waiting = new Map<string, number>();
  let total = 0;

  function add(network: string, bytes: number): void {
    total += bytes;
    const own = (waiting.get(network) ?? 0) + bytes;
    if (own > 0) waiting.set(network, own);
    else waiting.delete(network);
  }

  return async (response: Response, network: string): Promise<Response> => {
    const length = response.headers.get("content-length");
    if (length !== null && Number(length) <= shortBodyBytes) return response;
    if (!response.body) return response;
    const stated = Number(length ?? 0);
    const hasRoom = total + stated <= maxTotal && (waiting.get(network) ?? 0) + stated <= maxEach;
    if (stated > SMALL_BYTES && !hasRoom) {
      await response.body.cancel();
      return busy();
    }
    const counted = stated > SMALL_BYTES ? stated : 0;
    add(network, counted);
    const release = () => add(network, -counted);
    try {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return new Response(counted > 0 ? inPieces(bytes, release) : bytes, response);
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** @param onEnd called once, when everything has been read or the client has disconnected */
function inPieces(bytes: Uint8Array, onEnd: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + SMALL_BYTES));
        at += SMALL_BYTES;
        if (at < bytes.byteLength) return;
        controller.close();
        onEnd();
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  );
}
