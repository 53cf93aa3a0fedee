import { readRefusalFacts } from "#shared/calls/refusal-facts.ts";
import { isRule, Refusal } from "../../lib/refusal.ts";

export const notFound = () => new Refusal(404, "not_found", "Object not found");
export const noSuchAddress = () => new Refusal(404, "not_found", "There is nothing at this address.");
export const invalid = (message: string) => new Refusal(400, "invalid_request", message);

/** Whether the code is one of the storage's own; those of the database and the data API have no small letters. */
const isStorageCode = (code: string) => /[a-z]/.test(code);

const body = (statusCode: number, error: unknown, message: string) => ({
  statusCode: String(statusCode),
  error,
  message,
});

/**
 * Any refusal in the format of a hosted project's storage, which responds to its own with 400 and the real status in
 * the body.
 */
export function storageRefusalResponse(refusal: Refusal): Response {
  const { status, code, message, details, headers } = refusal;
  if (isStorageCode(code)) return Response.json(body(status, code, message), { status: 400 });
  if (isRule(refusal) || status >= 500)
    return Response.json(body(status, readRefusalFacts(details).code ?? code, message), { status, headers });
  if (status === 401 || code === "42501")
    return Response.json(body(403, "Unauthorized", deniedWords(code, message)), { status: 400 });
  if (code === "23505")
    return Response.json(body(409, "Duplicate", "The resource already exists"), { status: 400 });
  return Response.json(body(status, "invalid_request", message), { status: status === 413 ? 413 : 400 });
}

/** Without the name of the table. */
const deniedWords = (code: string, message: string) =>
  code === "42501" ? "new row violates row-level security policy" : message;
