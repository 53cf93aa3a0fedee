/** Calls a function of the database with the secret key's rights; resolves to what it returns. */
export type CallDatabase = (
  name: string,
  values: Record<string, string | number | boolean | null>,
) => Promise<unknown>;

/**
 * The database refused or failed; `code` tells programs why, and the message tells people if `status` is below 500.
 */
export class DatabaseRefusal extends Error {
  override name = "DatabaseRefusal";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Refused = { code?: string; message?: string; details?: string | null };

function codeIn(details: string | null | undefined): string | null {
  try {
    return (JSON.parse(details ?? "") as { code?: string }).code ?? null;
  } catch {
    return null;
  }
}

/** @param send POSTs this body to the function's data API URL with the secret key */
export const callOver =
  (send: (path: string, body: string) => Promise<Response>): CallDatabase =>
  async (name, values) =>
    readAnswer(await send(`/rest/v1/rpc/${name}`, JSON.stringify(values)));

/**
 * Parses what a database function returned.
 * @throws DatabaseRefusal
 */
export async function readAnswer(answer: Response): Promise<unknown> {
  const body = await answer.text();
  if (answer.ok) return body ? JSON.parse(body) : null;
  const refused = ((): Refused => {
    try {
      return JSON.parse(body) as Refused;
    } catch {
      return {};
    }
  })();
  throw new DatabaseRefusal(
    answer.status,
    codeIn(refused.details) ?? String(answer.status),
    refused.message ?? "The database refused.",
  );
}
