import type { LaneFigures } from "../shared/lanes.ts";
import type { Settings } from "../shared/settings.ts";

/** What the web process sends to the backend's process once, after starting it. */
export type OpenMessage = { type: "open"; settings: Settings };

/** The backend process's one reply. */
export type Answer =
  | {
      type: "ready";
      socketPath: string;
      publishableKey: string;
      /** Lines for the owner. */
      notices: string[];
    }
  | { type: "failed"; reason: string };

/**
 * Identifies the sender of a request on the socket, which only the process's own user can reach. The web process sets
 * it on every request.
 */
export const clientHeader = "x-shop-client";

/** A browser's own request, or a read of a page that is rendered for it on the server. */
export type Purpose = "browser" | "page";

/** @param clientIp the browser's address; null for the shop itself */
export const writeClient = (clientIp: string | null, purpose: Purpose = "browser") =>
  clientIp === null ? "shop" : `${purpose} ${clientIp}`;

/** No address, whatever a proxy reports, can pass for the shop. */
export function readClient(header: string | null): { clientIp: string | null; purpose: Purpose } {
  if (header === "shop") return { clientIp: null, purpose: "browser" };
  const [, purpose, clientIp] = /^(browser|page) (.*)$/.exec(header ?? "") ?? [];
  return { clientIp: clientIp ?? "", purpose: purpose === "page" ? "page" : "browser" };
}

/** Requested by the web process: does the database respond? */
export const readyPath = "/_shop/ready";

/** Asked by the web process for its page /metrics; answers `Figures`. */
export const figuresPath = "/_shop/figures";

/** How busy the database's connections are: those for requests, and those for the shop's own work. */
export type Figures = {
  connections: Record<"requests" | "shop", { inUse: number; most: number }>;
  lanes: LaneFigures;
};

/** Asked by the web process: the function of the database that the rest of the path names, one of `shopCalls`. */
export const callPath = "/_shop/call/";

/** What the web process may call with the secret key's rights: payments, of which it alone hears from Paystack. */
export const shopCalls = [
  "open_payment",
  "note_checkout",
  "find_payment",
  "settle_payment",
  "settle_refund",
  "claim_payment_check",
];

/** Asked by the owner's commands, with the secret key: make a backup. */
export const backupPath = "/_shop/backup";

/** Asked by the owner's commands, with the secret key, an email and perhaps new_password: look up an account. */
export const accountPath = "/_shop/account";

/** Asked by the owner's commands, with the secret key and emails: email people that the shop has moved. */
export const movedPath = "/_shop/moved";

/** Asked by the owner's commands, with the secret key and a user_id: forget a customer. */
export const anonymisePath = "/_shop/anonymise";

/** Called by the web process with a user_id, after it has checked the password: closes this account, or refuses. */
export const closeAccountPath = "/_shop/close-account";

/**
 * Asked by the web process before it takes in a large body: may the sender of these headers add files? Answers 204, or
 * the refusal for the sender.
 */
export const uploaderPath = "/_shop/uploader";
