import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientAddress } from "../lib/client-address.ts";
import { busy } from "../lib/concurrency-limit.ts";
import { LoopTurns } from "../lib/loop-turns.ts";
import { networkOf } from "../lib/network.ts";
import { refusalResponse } from "../lib/refusal.ts";
import { currentRequestId, withRequestId } from "../lib/request-id.ts";
import type { Settings } from "../lib/settings.ts";
import { showLoopTurns } from "./metrics.ts";
import { toRefusal } from "./pages.ts";

/** Browsers send one request after the other. More than this on one connection only fill the memory. */
const MAX_PIPELINED = 16;

/** Every request waits for its client's turn, before anything is known about it, and before its body is read. */
export function createRequestTurns(
  settings: Pick<Settings, "siteUrl" | "trustedProxies">,
  turns = new LoopTurns(),
) {
  showLoopTurns(() => turns.metrics());
  const waiting = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse, handle: () => void): void => {
    const { socket } = request;
    const count = (more: number) => waiting.set(socket, (waiting.get(socket) ?? 0) + more).get(socket) ?? 0;
    if (count(1) > MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    const ip = clientAddress(request, settings);
    const id = currentRequestId() ?? "";
    const remove = turns.admit(
      networkOf(ip) ?? ip,
      () => {
        count(-1);
        withRequestId(id, handle);
      },
      () => void refuse(request, response),
    );
    response.once("close", remove);
  };
}

async function refuse({ url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
  const isApi = /^\/(rest|auth|storage)\/v1\//.test(url);
  const full = URL.parse(url, "http://shop")?.href ?? "http://shop";
  const { status, headers, body } = isApi ? refusalResponse(busy()) : toRefusal(busy(), { url: full });
  headers.set("Cache-Control", "no-store");
  // A body that nobody reads would have to be read to its end.
  headers.set("Connection", "close");
  response.writeHead(status, Object.fromEntries(headers)).end(await new Response(body).text());
}
