import { chooseEncoding, encode } from "./page-forms.ts";

/** Of brotli: most responses are sent only once. */
const QUALITY = 4;

/** Less is sent in one packet either way. */
const MIN_BYTES = 1_024;

const compressible = /^(application\/(?!octet-stream)[\w.+-]*json|text\/)/i;

/**
 * An answer of the API as its client accepts it. Whole, in a thread of zlib's: a stream of the web's would cost several times as
 * much.
 */
export async function packed(response: Response, request: Request): Promise<Response> {
  const { status, headers } = response;
  const stated = headers.get("content-length");
  const isSmall = stated !== null && Number(stated) < MIN_BYTES;
  const isWhole = status !== 206 && request.method !== "HEAD" && !headers.has("content-encoding");
  if (isSmall || !isWhole || !compressible.test(headers.get("content-type") ?? "")) return response;
  const encoding = chooseEncoding(request.headers.get("accept-encoding") ?? "");
  if (encoding === "plain") return response;
  const whole = Buffer.from(await response.arrayBuffer());
  const isWorth = whole.byteLength >= MIN_BYTES;
  const body = isWorth ? await encode(whole, encoding, QUALITY) : whole;
  if (isWorth) headers.set("content-encoding", encoding);
  headers.set("content-length", String(body.byteLength));
  return new Response(body as Buffer<ArrayBuffer>, { status, headers });
}
