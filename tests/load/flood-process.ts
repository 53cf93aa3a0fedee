import { Agent, type ClientRequest, type RequestOptions, request as startRequest } from "node:http";
import { setPriority } from "node:os";

/*
 * A flood, in a process of its own and at the lowest priority, since it would come from another machine. Sends on every connection the next
 * request as soon as the last one is over, until it is told to stop.
 */

export type Flood = {
  url: string;
  key: string;
  connections: number;
  kind: string;
};

type Call = {
  path: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Disconnects after this much of the body, which is announced to be longer. */
  cutAfter?: number;
};

const ONE_CLIENT = "203.0.113.9";
/** 500 lines of 190 characters that name no book. */
const garbled = (n: number) =>
  JSON.stringify({
    _lines: Array.from({ length: 500 }, (_, line) => `${"qzx wvk jqp ".repeat(15)}${line} ${n}`),
  });
const large = "x".repeat(95_000);
const hex = (n: number) => n.toString(16);

const calls: Record<string, (n: number) => Call> = {
  "a page that doesn't exist": () => ({ path: "/nothing-here" }),
  "pages that don't exist": (n) => ({ path: `/nothing/${n}` }),
  "books that don't exist": (n) => ({
    path: `/books/00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  }),
  "new pages": (n) => ({ path: `/shop?q=flood ${n}`.replace(" ", "+") }),
  "an unknown function": () => ({ path: "/rest/v1/rpc/nothing_here", body: "{}" }),
  "a wrong key": () => ({ path: "/rest/v1/books?select=id&limit=24", headers: { apikey: "wrong" } }),
  "matches of 500 garbled lines (95 kB)": (n) => ({
    path: "/rest/v1/rpc/match_book_lines",
    body: garbled(n),
  }),
  "95 kB for an unknown function": () => ({
    path: "/rest/v1/rpc/nothing_here",
    body: JSON.stringify({ _text: large }),
  }),
  "a cached page": () => ({ path: "/shop" }),
  "/healthz": () => ({ path: "/healthz" }),
  "uploads, cut off": () => ({
    path: "/storage/v1/object/book-covers/flood.jpg",
    headers: { "content-type": "image/jpeg", "content-length": "4000000" },
    body: large,
    cutAfter: 64_000,
  }),
  "95 kB, cut off": () => ({
    path: "/rest/v1/rpc/match_book_lines",
    headers: { "content-length": "95000" },
    body: large,
    cutAfter: 60_000,
  }),
  "a list of 24": () => ({
    path: "/rest/v1/books?select=id,title,authors,price&order=title_key,id&limit=24",
  }),
  "wrong sign-ins from one /48": (n) => signIn(n, `2001:db8:77:${hex(n % 65_536)}::1`),
  "wrong sign-ins from everywhere": (n) =>
    signIn(
      n,
      `2${hex(0x100 + (n % 0xe00)).padStart(3, "0")}:${hex((n * 7_919) % 65_536)}:${hex(n % 65_536)}::1`,
    ),
};

const signIn = (n: number, network: string): Call => ({
  path: "/auth/v1/token?grant_type=password",
  body: JSON.stringify({ email: `nobody-${n}@flood.example`, password: "a wrong password" }),
  headers: { "x-forwarded-for": network },
});

if (process.send) {
  const { url, key, connections, kind } = JSON.parse(process.argv[2] ?? "{}") as Flood;
  setPriority(19);
  const { hostname, port } = new URL(url);
  const make = calls[kind];
  if (!make) throw new Error(`There is no flood of ${kind}`);
  const counts: Record<string, number> = {};
  const open = new Set<ClientRequest>();
  let going = false;
  let sent = 0;

  const send = (agent: Agent): Promise<void> =>
    new Promise((resolve) => {
      sent += 1;
      const { path, body, headers = {}, cutAfter } = make(sent);
      const done = (result: string) => {
        if (!open.has(outgoing)) return;
        if (going) counts[result] = (counts[result] ?? 0) + 1;
        open.delete(outgoing);
        resolve();
      };
      const options: RequestOptions = {
        agent,
        hostname,
        port,
        path,
        method: body ? "POST" : "GET",
        headers: {
          apikey: key,
          "accept-encoding": "br",
          "x-forwarded-for": ONE_CLIENT,
          ...(body ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) } : {}),
          ...headers,
        },
      };
      const outgoing = startRequest(options, (response) => {
        response.resume();
        response.once("end", () => done(String(response.statusCode)));
        response.on("error", () => done("cut off"));
      });
      open.add(outgoing);
      outgoing.on("error", () => done("cut off"));
      if (cutAfter === undefined) outgoing.end(body);
      else {
        outgoing.write(body?.slice(0, cutAfter), () => setTimeout(() => outgoing.destroy(), 5));
        outgoing.once("close", () => done("cut off"));
      }
    });

  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const start = () => {
    going = true;
    for (const agent of agents)
      void (async () => {
        while (going) await send(agent);
      })();
  };
  const stop = () => {
    going = false;
    for (const each of open) each.destroy();
  };
  process.on("message", (what) => {
    if (what === "on") return start();
    stop();
    if (what === "stop") process.send?.(counts, () => process.exit(0));
  });
}
