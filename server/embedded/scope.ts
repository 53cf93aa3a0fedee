import { AsyncLocalStorage } from "node:async_hooks";

/** What the library does not hand through from a request to the pieces that it calls. */
export type RequestScope = {
  /** Where the link of a mail shall lead, as the client asked; checked before use. */
  redirectTo: string | null;
  /** The first admin is made without a mail. */
  mute?: boolean;
  /** The last refusal of our own that the database raised for this request. */
  refusal?: Refusal;
};

export type Refusal = { code: string; message: string; detail: string };

export const requestScope = new AsyncLocalStorage<RequestScope>();
