import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";

let behindProxy: ShopServer;
let shop: ShopServer;
beforeAll(async () => {
  [behindProxy, shop] = await Promise.all([
    startPreparedShop("empty", { TRUSTED_PROXIES: "127.0.0.1" }),
    startPreparedShop("empty", { TRUSTED_PROXIES: "" }),
  ]);
}, START_MS);
afterAll(() => Promise.all([behindProxy?.stop(), shop?.stop()]));

/** A connection that has had the response to its first request. */
async function keptConnection({ url }: ShopServer) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const ask = async () => {
    if (socket.closed) return "closed";
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [head] = (await Promise.race([once(socket, "data"), once(socket, "close")])) as [Buffer | boolean];
    return String(head).slice(0, 15);
  };
  expect(await ask()).toBe("HTTP/1.1 200 OK");
  const since = performance.now();
  return { socket, ask, seconds: () => (performance.now() - since) / 1_000 };
}

// nginx keeps its connections to the shop for one minute, Caddy for two: one that the shop closes first may be chosen for an order.
test.concurrent("keeps a proxy's silent connection for longer than nginx and Caddy do", async () => {
  const { ask } = await keptConnection(behindProxy);
  await pause(125_000);
  expect(await ask()).toBe("HTTP/1.1 200 OK");
});

test.concurrent.each([
  ["behind a proxy", 150, () => behindProxy],
  ["without a proxy", 10, () => shop],
])("closes a connection that has been silent too long: %s, after %i s", async (_, after, of) => {
  const { socket, seconds } = await keptConnection(of());
  socket.resume();
  await once(socket, "close");
  expect(seconds()).toBeGreaterThanOrEqual(after - 1);
  expect(seconds()).toBeLessThan(after + 20);
});
