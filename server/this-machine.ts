import type { IncomingMessage } from "node:http";
import type { Settings } from "./shared/settings.ts";

const loopbackPeer = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/**
 * Whether a request was made on this machine. A proxy's connection comes from here too, and not every proxy adds a
 * header, so this is true only while SITE_URL is this machine, which it is not for a shop behind a proxy.
 */
export function isFromThisMachine(incoming: IncomingMessage, settings: Pick<Settings, "siteUrl">): boolean {
  return (
    loopbackHosts.has(new URL(settings.siteUrl).hostname) &&
    loopbackPeer.test(incoming.socket.remoteAddress ?? "") &&
    !Object.keys(incoming.headers).some((name) => proxyHeader.test(name))
  );
}
