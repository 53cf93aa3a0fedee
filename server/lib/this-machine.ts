import type { IncomingMessage } from "node:http";
import type { Settings } from "./settings.ts";

const loopbackPeer = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHost = /^(([^:]*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d*)?$/i;
const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** Whether the connection comes from this machine, possibly from a proxy. */
export const isLoopbackPeer = ({ socket }: IncomingMessage) => loopbackPeer.test(socket.remoteAddress ?? "");

const hasProxyHeader = ({ headers }: IncomingMessage) =>
  Object.keys(headers).some((name) => headers[name] !== undefined && proxyHeader.test(name));

/**
 * Whether SITE_URL is this machine: then there is no proxy in front of the shop. Not parsed as a URL, which would
 * cost each request time: in an origin, all that follows the scheme is the host.
 */
const isSiteHere = ({ siteUrl }: Pick<Settings, "siteUrl">) =>
  loopbackHost.test(siteUrl.slice(siteUrl.indexOf("//") + 2));

/**
 * Whether a connection from this machine is a proxy's. With a public SITE_URL, all of them are: customers reach this
 * machine's loopback address only through one. Otherwise the request shows it by a header, by another machine's Host, or
 * by HTTP/1.0, which is nginx's default and which browsers don't use.
 */
export const isFromLocalProxy = (incoming: IncomingMessage, settings: Pick<Settings, "siteUrl">) =>
  isLoopbackPeer(incoming) &&
  (!isSiteHere(settings) ||
    hasProxyHeader(incoming) ||
    incoming.httpVersion === "1.0" ||
    !loopbackHost.test(incoming.headers.host ?? "localhost"));

/**
 * Whether a request was made on this machine. A proxy's connection comes from here too, and not every proxy adds a
 * header, so this is true only while SITE_URL is this machine, which it is not for a shop behind a proxy.
 */
export function isFromThisMachine(incoming: IncomingMessage, settings: Pick<Settings, "siteUrl">): boolean {
  return isSiteHere(settings) && isLoopbackPeer(incoming) && !hasProxyHeader(incoming);
}
