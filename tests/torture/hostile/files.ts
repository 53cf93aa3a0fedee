import fc from "fast-check";
import { bodyOf, brokenBody, jsonType, query, record, request } from "./parts.ts";
import { encoded, text } from "./words.ts";

const multipart = text.map((value) =>
  Buffer.from(
    `--x\r\nContent-Disposition: form-data; name="${value}"; filename="${value}"\r\nContent-Type: ${value}\r\n\r\n${value}\r\n--x--\r\n`,
  ),
);

export const files = request({
  method: fc.constantFrom("GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"),
  target: fc
    .tuple(
      fc.constantFrom(
        "object/book-covers/",
        "object/public/book-covers/",
        "object/authenticated/book-covers/",
        "object/sign/book-covers/",
        "object/list/book-covers",
        "object/move",
        "object/copy",
        "object/info/book-covers/",
        "object/",
        "bucket/",
        "bucket",
        "render/image/public/book-covers/",
        "upload/resumable/",
        "s3/",
        "object/public/",
      ),
      fc.array(encoded, { maxLength: 3 }).map((parts) => parts.join("/")),
      query(fc.tuple(fc.constantFrom("download", "token", "width"), encoded)),
    )
    .map((parts) => `/storage/v1/${parts.join("")}`),
  headers: fc.constantFrom<[string, string][]>(
    [["Content-Type", "image/jpeg"]],
    [["Content-Type", "multipart/form-data; boundary=x"]],
    [["Content-Type", "multipart/form-data"]],
    [jsonType],
    [["Content-Type", "text/html"]],
  ),
  body: fc.oneof(
    bodyOf(
      record(
        fc.constantFrom(
          "prefix",
          "limit",
          "offset",
          "sortBy",
          "bucketId",
          "sourceKey",
          "destinationKey",
          "prefixes",
          "expiresIn",
          "id",
          "name",
          "public",
        ),
      ),
    ),
    multipart,
    brokenBody,
    fc.constant(null),
  ),
});
