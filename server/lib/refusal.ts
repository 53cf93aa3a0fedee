/** A request that is refused, or failed for a reason that its client may know. Each API has its own format for it. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  /** Why, for programs: an SQLSTATE, or a code of the API that refuses. */
  readonly code: string;
  readonly details: string | null;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: string | null = null,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** Whether one of the shop's own rules in the database refused: its message is for people. */
export const isRule = ({ code }: { code?: unknown }) => /^PT4\d\d$/.test(String(code));

/** A refusal in the format of a hosted project's data API. */
export function refusalResponse({ status, code, message, details, headers }: Refusal): Response {
  return Response.json({ code, message, details, hint: null }, { status, headers });
}

/** A feature of a hosted project's data API that the shop does not use. */
export const unsupported = (what: string) => new Refusal(400, "PGRST100", `${what} is not offered here.`);

/** A part of the URL that cannot be parsed. */
export const unreadable = (what: string) => new Refusal(400, "PGRST100", `${what} cannot be read.`);

/** More than any request of the shop. */
export const tooMuch = (message: string) => new Refusal(400, "PGRST100", message);
