import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A proxy as in docs/scaling.md: data, accounts and files go to the backend, if there is one apart, everything else to the web processes in turn. */
export type SwitchingProxy = {
  url: string;
  /** How many requests each address has answered. */
  answered: Map<string, number>;
  setBackend: (address: string) => void;
  setWebProcesses: (addresses: string[]) => void;
  stop: () => void;
};

const isData = (path: string) => /^\/(rest|auth|storage)\/v1\//.test(path);

/** @param port 0 takes a free one */
export async function startSwitchingProxy(port = 0): Promise<SwitchingProxy> {
  const answered = new Map<string, number>();
  let backend = "";
  let webProcesses: string[] = [];
  let turn = 0;

  function forward(address: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { port, hostname } = new URL(address);
    // As nginx's $proxy_add_x_forwarded_for.
    const hops = [incoming.headers["x-forwarded-for"], incoming.socket.remoteAddress].filter(Boolean);
    const headers = { ...incoming.headers, "x-forwarded-for": hops.join(", ") };
    const { method = "GET", url: path = "/" } = incoming;
    return new Promise((resolve, reject) =>
      request({ host: hostname, port, method, path, headers, agent: false })
        .on("response", resolve)
        .on("error", reject)
        .end(body),
    );
  }

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const choices = backend && isData(incoming.url ?? "") ? [backend] : webProcesses;
    turn += 1;
    const first = turn;
    for (let tried = 0; tried < choices.length; tried += 1) {
      const address = choices[(first + tried) % choices.length] ?? "";
      try {
        const found = await forward(address, incoming, body);
        const content = await buffer(found);
        answered.set(address, (answered.get(address) ?? 0) + 1);
        outgoing.writeHead(found.statusCode ?? 502, found.headers).end(content);
        return;
      } catch (error) {
        // A request that may have been received is repeated only if that is safe.
        const isUnsent = (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
        if (!isUnsent && incoming.method !== "GET") break;
      }
    }
    outgoing.writeHead(502).end();
  }

  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    answered,
    setBackend: (address) => {
      backend = address;
    },
    setWebProcesses: (addresses) => {
      webProcesses = addresses;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
