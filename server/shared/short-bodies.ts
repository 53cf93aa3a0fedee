/** A body with a Content-Length up to this is forwarded in one piece, which costs much less than a stream. */
export const shortBodyBytes = 64 * 1024;

export const isShort = (contentLength: string | null | undefined) =>
  typeof contentLength === "string" && Number(contentLength) <= shortBodyBytes;

/** Whether the request may have a body. Bodies of GET and HEAD are never read. */
export const mayHaveBody = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/** Whether the whole body is read before the request is forwarded to the backend. */
export const isReadWhole = (request: Request) =>
  !mayHaveBody(request) ||
  (isShort(request.headers.get("content-length")) && !request.headers.has("transfer-encoding"));
