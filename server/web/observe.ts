import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddress, createProxyWarning } from "../lib/client-address.ts";
import type { Log } from "../lib/log.ts";
import { newRequestId, requestIdHeader, withRequestId } from "../lib/request-id.ts";
import type { Settings } from "../lib/settings.ts";
import { countRequest } from "./metrics.ts";

type ObserverSettings = Pick<Settings, "accessLog" | "siteUrl" | "trustedProxies">;

const MAX_PATH = 200;

/** Only the path: query values contain searches, addresses and tokens. The outbox has its key in its path, a download its token. */
export function loggedPath(path: string): string {
  for (const secret of ["/outbox", "/downloads"]) if (path.startsWith(secret)) return secret;
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}

/**
 * Wraps the handling of each request: gives it an id, counts it when it is done, and logs it if the access log is on.
 */
export function createObserver(settings: ObserverSettings, log: Log) {
  const warnOfProxy = createProxyWarning(settings, (line) => log.warn(line));
  return (incoming: IncomingMessage, response: ServerResponse, handle: () => void): void => {
    warnOfProxy(incoming);
    const id = newRequestId();
    const startedAt = performance.now();
    const sentBefore = incoming.socket.bytesWritten;
    const path = (incoming.url ?? "").replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "") || "/";
    const method = incoming.method ?? "GET";
    response.setHeader(requestIdHeader, id);
    response.once("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      countRequest(method, path, response.statusCode, ms / 1000);
      if (settings.accessLog === "off") return;
      const ip = settings.accessLog === "ip" ? clientAddress(incoming, settings) : undefined;
      const bytes = incoming.socket.bytesWritten - sentBefore;
      const fields = { method, path: loggedPath(path), status: response.statusCode, ms, bytes, ip };
      withRequestId(id, () =>
        log.info("request", response.writableFinished ? fields : { ...fields, aborted: true }),
      );
    });
    withRequestId(id, handle);
  };
}
