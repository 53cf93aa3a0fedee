import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openLoop, settleAll } from "#tests/support/event-loop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { LoopTurns } from "../lib/loop-turns.ts";
import { currentRequestId, withRequestId } from "../lib/request-id.ts";
import { createRequestTurns } from "./request-turns.ts";

/** A server that responds with 'done' when its loop, which the test drives, gets to it. */
async function open() {
  const { loop, clock, iterate } = openLoop({ settle: settleAll, msEach: 2 });
  const turns = new LoopTurns(loop);
  const inTurn = createRequestTurns({ siteUrl: "http://shop.example", trustedProxies: ["127.0.0.1"] }, turns);
  const handled: string[] = [];
  let received = 0;
  const server = createServer((incoming, response) => {
    received += 1;
    withRequestId(String(incoming.headers["x-name"]), () =>
      inTurn(incoming, response, () => {
        handled.push(`${currentRequestId()} ${incoming.url}`);
        response.end("done");
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const agent = new Agent();
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    clock,
    iterate,
    turns,
    handled,
    port,
    received: (count: number) => eventually(() => expect(received).toBe(count)),
    send(path: string, client: string, body?: string) {
      const headers = { "x-forwarded-for": client, "x-name": `for ${client}` };
      const method = body ? "POST" : "GET";
      const sent = request({ agent, host: "127.0.0.1", port, path, headers, method });
      const response = once(sent, "response").then(async ([incoming]: IncomingMessage[]) => ({
        status: incoming?.statusCode,
        headers: incoming?.headers ?? {},
        body: incoming ? await text(incoming) : "",
      }));
      response.catch(() => {});
      sent.on("error", () => {});
      sent.end(body);
      return { response, disconnect: () => sent.destroy() };
    },
  };
}

test("handles another client's request before the rest of one client's 100, with its own request id", async () => {
  const { send, received, iterate, handled } = await open();
  for (let n = 0; n < 100; n += 1) send("/nothing", "203.0.113.9");
  await received(100);
  send("/shop", "192.0.2.1");
  await received(101);
  await iterate();
  expect(handled).toEqual(["for 203.0.113.9 /nothing", "for 192.0.2.1 /shop"]);
});

test("counts the addresses of an IPv6 network as one client", async () => {
  const { send, received, iterate, handled } = await open();
  for (let n = 1; n <= 20; n += 1) send("/nothing", `2001:db8:1:2::${n}`);
  await received(20);
  await iterate();
  expect(handled).toHaveLength(1);
});

test.each([
  ["/rest/v1/books", 503, "application/json", "PT503"],
  ["/shop", 503, "text/plain; charset=utf-8", "The shop is busy"],
  ["/shop.data", 204, undefined, ""],
])("refuses %s after 10 seconds as its reader understands it", async (path, status, type, body) => {
  const { send, received, iterate, clock, handled } = await open();
  const { response } = send(path, "192.0.2.1", "a body");
  await received(1);
  clock.ms += 10_000;
  await iterate();
  expect(handled).toEqual([]);
  const refusal = await response;
  expect(refusal).toMatchObject({ status, body: expect.stringContaining(body) });
  expect(refusal.headers).toMatchObject({ connection: "close", "cache-control": "no-store" });
  expect(refusal.headers["content-type"]).toBe(type);
});

test("does nothing for a client that has disconnected while it waited", async () => {
  const { send, received, iterate, turns, handled } = await open();
  const { disconnect } = send("/nothing", "203.0.113.9");
  await received(1);
  disconnect();
  await eventually(() => expect(turns.metrics().waiting).toBe(0));
  await iterate();
  expect(handled).toEqual([]);
});

test("closes a connection that sends 17 requests without waiting for a response", async () => {
  const { port, turns, received } = await open();
  const socket = connect(port, "127.0.0.1");
  const closed = once(socket, "close");
  socket.on("error", () => {});
  socket.write("GET /nothing HTTP/1.1\r\nHost: shop.example\r\n\r\n".repeat(17));
  await closed;
  await received(17);
  await eventually(() => expect(turns.metrics().waiting).toBe(0));
});
