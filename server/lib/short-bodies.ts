/** A body with a Content-Length up to this is read in one piece, which costs much less than a stream. */
export const shortBodyBytes = 64 * 1024;

const isShort = (contentLength: string | null) =>
  contentLength !== null && Number(contentLength) <= shortBodyBytes;

/** Whether the request may have a body. Bodies of GET and HEAD are never read. */
export const mayHaveBody = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/** Whether the request is small enough to be read before anything is known about it. */
export const isReadWhole = (request: Request) =>
  !mayHaveBody(request) ||
  (isShort(request.headers.get("content-length")) && !request.headers.has("transfer-encoding"));
