import { unreachableMessage } from "./failure-message.ts";

export const SIGNED_OUT = "You have been signed out. Sign in and try again.";

type Details = {
  status: number;
  code?: string;
  facts?: Readonly<Record<string, unknown>>;
  refusal?: string | null;
  cause?: unknown;
};

/**
 * A failed backend call; queries fail in no other way. Its message is for the log, never for users: `customerMessage`
 * and `staffMessage` do that. Its cause is the backend's own error, which may contain data: only the owner's commands
 * show it.
 */
export class BackendFailure extends Error {
  override name = "BackendFailure";
  /** HTTP status; 0 when there was no response at all. */
  readonly status: number;
  /** The stable code of one of the shop's own refusals, otherwise the database's or provider's code, otherwise empty. */
  readonly code: string;
  /** The other details of a refusal. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The server's own message when it is meant for users, otherwise null. */
  readonly refusal: string | null;

  constructor({ status, code = "", facts = {}, refusal = null, cause }: Details) {
    super(`${status} ${code || "no code"}`, { cause });
    this.status = status;
    this.code = code;
    this.facts = facts;
    this.refusal = refusal;
  }

  /** The message for a customer, or null when there is nothing more specific than that the call failed. */
  get customerMessage(): string | null {
    const { status, code, refusal } = this;
    if (refusal) return refusal;
    if (status === 0) return unreachableMessage();
    // A refused token ends the session, which says so itself.
    if (status === 401) return code.startsWith("PGRST3") ? null : SIGNED_OUT;
    if (status === 403 || code === "42501") return "You no longer have permission to do this.";
    if (status === 429) return "Too many requests. Wait a minute and try again.";
    return null;
  }
}
