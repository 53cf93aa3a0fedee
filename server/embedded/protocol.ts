import type { Settings } from "../settings.ts";

/** What the web process sends to the backend's process once, after starting it. */
export type OpenMessage = { type: "open"; settings: Settings };

/** What the backend's process answers, once. */
export type Answer =
  | {
      type: "ready";
      socketPath: string;
      publishableKey: string;
      /** Lines for the owner. */
      notices: string[];
      /** Whether this process has just made the database, which leaves it with twice the memory that it needs. */
      madeDatabase: boolean;
    }
  | { type: "failed"; reason: string };

/** On the socket, which only the owner of the process can reach: the address of the browser. */
export const peerHeader = "x-shop-peer";

/** Asked by the web process: does the database answer? */
export const readyPath = "/_shop/ready";

/** Asked by the owner's commands, with the secret key: make a backup. */
export const backupPath = "/_shop/backup";

/** Asked by the owner's commands, with the secret key and a user_id: forget a customer. */
export const anonymisePath = "/_shop/anonymise";

/**
 * Asked by the web process before it takes in a large body: may the sender of these headers add files? Answers 204, or
 * what the sender is to be told.
 */
export const uploaderPath = "/_shop/uploader";
