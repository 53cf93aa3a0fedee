import { type CallDatabase, callOver } from "../lib/call-database.ts";

const timeoutMs = 30_000;

/** Calls functions over a hosted project's data API, with its secret key. */
export const hostedCalls = (url: string, secretKey: string): CallDatabase =>
  callOver((path, body) =>
    fetch(new URL(path, url), {
      method: "POST",
      headers: {
        apikey: secretKey,
        authorization: `Bearer ${secretKey}`,
        "content-type": "application/json",
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    }),
  );
