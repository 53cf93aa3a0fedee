/** Makes the response an error in the format of a hosted project's data API. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
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

/** A feature of a hosted project's data API that the shop does not use. */
export const notOffered = (what: string) => new Refusal(400, "PGRST100", `${what} is not offered here.`);

/** A part of the URL that cannot be parsed. */
export const unreadable = (what: string) => new Refusal(400, "PGRST100", `${what} cannot be read.`);

/** More than any request of the shop. */
export const tooMuch = (message: string) => new Refusal(400, "PGRST100", message);
