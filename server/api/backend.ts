import type { DatabaseAddress } from "../database/engine.ts";
import type { CallDatabase } from "../lib/call-database.ts";
import type { ApiMetrics, Purpose } from "./api.ts";
import type { FindCover } from "./storage/stored-cover.ts";
import type { NoteUnmet } from "./unmet-demand.ts";

export type ReadPiece = (name: string) => Promise<Uint8Array<ArrayBuffer> | null>;

/**
 * Closes a customer's account and forgets them, for themselves or for the staff member `staffId`, whose rights the caller has
 * checked.
 * @throws Refusal when something is still to be done for them, or they are an admin
 */
export type CloseAccount = (userId: string, staffId?: string) => Promise<void>;

/** Where the data is, the same shape for a hosted project and for the embedded backend. */
export type Backend = {
  kind: "embedded" | "hosted";
  /** Lines for the owner, to be shown once the shop is open. */
  notices: string[];
  /** The origin where browsers reach it; null when that is the page's own, whatever address the page was opened by. */
  browserOrigin: string | null;
  /** The public key for it. */
  publishableKey: string;
  /**
   * Handles a request to /rest/v1, /auth/v1 or /storage/v1. Only the path of its URL matters, so that pages rendered
   * on the server can use it too.
   * @param clientIp the browser's address, for rate limits; null, or left out, for the shop itself
   */
  fetch: (request: Request, clientIp?: string | null, purpose?: Purpose) => Promise<Response>;
  /**
   * Only the embedded backend: whether the sender of an upload may make it, judged by its headers before its body is read. Null, or
   * the refusal.
   */
  refuseUpload?: (request: Request, clientIp: string) => Promise<Response | null>;
  /** For the sizes of covers (server/web/small-covers.ts). */
  findCover?: FindCover;
  /**
   * A piece of a digital title's file by its name, '{id}/0001'; null when it is missing. Absent for a hosted project without the secret key.
   * @throws Error when the storage does not respond
   */
  readPiece?: ReadPiece;
  /** Counts what visitors look for and the shop doesn't have; absent for a hosted project without the secret key. */
  noteUnmet?: NoteUnmet;
  /** Calls functions with the secret key's rights, only for payments, downloads and metrics; null without the key. */
  call: CallDatabase | null;
  /** Null without the secret key. */
  closeAccount: CloseAccount | null;
  /** Whether the database responds now. */
  ready: () => Promise<boolean>;
  /** How busy the embedded backend is in this process. */
  metrics?: () => ApiMetrics;
  /** How workers reach the embedded backend's database. */
  database?: DatabaseAddress;
  /** Of several machines on one database: whether this one does what is done once. */
  leads?: () => boolean;
  /** Has the next start wait for this one, which still answers what is under way. */
  noteStopping?: () => void;
  stop: () => Promise<void>;
};
