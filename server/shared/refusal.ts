/** A request that is answered with an error in the form of a hosted project's data API. */
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

/** What a hosted project's data API can do and the shop does not use. */
export const notOffered = (what: string) => new Refusal(400, "PGRST100", `${what} is not offered here.`);

/** A part of the address that cannot be read. */
export const unreadable = (what: string) => new Refusal(400, "PGRST100", `${what} cannot be read.`);

/** More than anything the shop asks for. */
export const tooMuch = (message: string) => new Refusal(400, "PGRST100", message);
