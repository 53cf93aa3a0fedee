import { Hono } from "hono";
import { expect, test } from "vitest";
import { limitIncoming } from "./incoming.ts";

const KIB = 1024;

/** A site that holds each request until it is released. */
function open(maxEach: number, maxTotal: number) {
  const held: (() => void)[] = [];
  const site = new Hono();
  const settings = { siteUrl: "https://shop.example", trustedProxies: ["127.0.0.1"] };
  site.use(limitIncoming(settings, maxEach, maxTotal) as never);
  site.all("*", async (c) => {
    await new Promise<void>((release) => held.push(release));
    return c.text("done");
  });
  const send = (ip: string, headers: Record<string, string>, method = "POST") => {
    const incoming = { headers: { "x-forwarded-for": ip }, socket: { remoteAddress: "127.0.0.1" } };
    return site.request("/", { method, headers }, { incoming });
  };
  return { held, send };
}
const bytes = (kibibytes: number) => ({ "content-length": String(kibibytes * KIB) });

test("limits one network's large bodies, but not its small ones, its reads or other networks", async () => {
  const { held, send } = open(200 * KIB, 1_000 * KIB);
  const first = [send("192.0.2.1", bytes(100)), send("192.0.2.1", bytes(100))];
  await expect.poll(() => held.length).toBe(2);
  const refused = await send("192.0.2.1", bytes(17));
  expect(refused.status).toBe(503);
  expect([refused.headers.get("retry-after"), refused.headers.get("x-not-begun")]).toEqual(["2", "1"]);
  const others = [
    send("192.0.2.2", bytes(100)),
    send("192.0.2.1", bytes(16)),
    send("192.0.2.1", {}),
    send("192.0.2.1", bytes(100), "GET"),
  ];
  await expect.poll(() => held.length).toBe(6);
  for (const release of held.splice(0)) release();
  for (const { status } of await Promise.all([...first, ...others])) expect(status).toBe(200);
  const later = send("192.0.2.1", bytes(200));
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  expect((await later).status).toBe(200);
});

test("limits the large bodies of all networks together", async () => {
  const { held, send } = open(100 * KIB, 250 * KIB);
  const first = [1, 2].map((n) => send(`192.0.2.${n}`, bytes(100)));
  await expect.poll(() => held.length).toBe(2);
  expect((await send("192.0.2.3", bytes(100))).status).toBe(503);
  for (const release of held) release();
  await Promise.all(first);
});

test("counts a chunked body as the largest one, even if it has a Content-Length", async () => {
  const { send } = open(100 * KIB, 250 * KIB);
  expect((await send("192.0.2.1", { "transfer-encoding": "chunked" })).status).toBe(503);
  expect((await send("192.0.2.1", { "transfer-encoding": "chunked", ...bytes(1) })).status).toBe(503);
});

test("A body above every limit is left to whoever refuses it by its length", async () => {
  const { held, send } = open(100 * KIB, 250 * KIB);
  const large = send("192.0.2.1", bytes(7 * KIB));
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  expect((await large).status).toBe(200);
});
