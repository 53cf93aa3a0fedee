import type { Gap } from "./gap.ts";

/** The library fails with status 500 where a form is broken or holds no file. */
const unreadable = () =>
  Response.json(
    { statusCode: "400", error: "invalid_request", message: "The form holds no file that can be read." },
    { status: 400 },
  );

/**
 * supabase-js sends a Blob as a form whose file field has an empty name, and the caching time as a field; the
 * library looks for a field named `file`. The file itself is passed on as a raw body.
 */
export const plainUpload: Gap = async (exchange, next) => {
  const { request, url } = exchange;
  const type = request.headers.get("content-type") ?? "";
  const isForm = url.pathname.startsWith("/storage/v1/object/") && type.startsWith("multipart/form-data");
  const form = isForm
    ? await request
        .clone()
        .formData()
        .catch(() => null)
    : null;
  if (!isForm) return next(exchange);
  const file = [...(form?.values() ?? [])].find((value) => value instanceof File);
  if (!form || !(file instanceof File)) return unreadable();
  const headers = new Headers(request.headers);
  headers.set("content-type", file.type || "application/octet-stream");
  headers.set("content-length", String(file.size));
  const seconds = form.get("cacheControl");
  if (typeof seconds === "string" && /^\d{1,9}$/.test(seconds))
    headers.set("cache-control", `max-age=${seconds}`);
  const plain = new Request(url, { method: request.method, headers, body: await file.bytes() });
  return next({ ...exchange, request: plain });
};
