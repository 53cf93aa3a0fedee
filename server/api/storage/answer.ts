import { factsOf } from "../../database/errors.ts";
import { Refusal } from "../../lib/refusal.ts";

/**
 * One of the storage's own refusals: a hosted project answers all of them with 400 and the real status in the body.
 */
export class StorageRefusal extends Refusal {
  readonly error: string;

  constructor(statusCode: number, error: string, message: string) {
    super(statusCode, "storage", message);
    this.error = error;
  }
}

export const notFound = () => new StorageRefusal(404, "not_found", "Object not found");
export const noSuchAddress = () => new StorageRefusal(404, "not_found", "There is nothing at this address.");
export const invalid = (message: string) => new StorageRefusal(400, "invalid_request", message);

const body = (statusCode: number, error: unknown, message: string) => ({
  statusCode: String(statusCode),
  error,
  message,
});

/** Any refusal in the format of a hosted project's storage. */
export function answerStorageRefusal(refusal: Refusal): Response {
  const { status, code, message, details, headers } = refusal;
  if (refusal instanceof StorageRefusal)
    return Response.json(body(status, refusal.error, message), { status: 400 });
  if (/^PT4\d\d$/.test(code) || status >= 500)
    return Response.json(body(status, factsOf(details).code ?? code, message), { status, headers });
  if (status === 401 || code === "42501")
    return Response.json(body(403, "Unauthorized", deniedWords(code, message)), { status: 400 });
  if (code === "23505")
    return Response.json(body(409, "Duplicate", "The resource already exists"), { status: 400 });
  return Response.json(body(status, "invalid_request", message), { status: status === 413 ? 413 : 400 });
}

/** Without the name of the table. */
const deniedWords = (code: string, message: string) =>
  code === "42501" ? "new row violates row-level security policy" : message;
