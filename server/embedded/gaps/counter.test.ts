import { expect, test } from "vitest";
import { Counter, peerKey } from "./counter.ts";

test("A key may go on until its limit, and again when its window has passed", () => {
  const counter = new Counter(2, 1_000);
  counter.add("ama", 0);
  expect(counter.waitMs("ama", 10)).toBe(0);
  counter.add("ama", 10);
  expect(counter.waitMs("ama", 400)).toBe(600);
  expect(counter.waitMs("kofi", 400)).toBe(0);
  expect(counter.waitMs("ama", 1_000)).toBe(0);
});

test("An event that turned out not to count is taken back", () => {
  const counter = new Counter(1, 1_000);
  counter.add("ama", 0);
  counter.takeBack("ama");
  expect(counter.waitMs("ama", 1)).toBe(0);
});

test("However many keys come, no more than the newest are remembered", () => {
  const counter = new Counter(1, 1_000_000);
  for (let at = 0; at <= Counter.mostKeys; at += 1) counter.add(`key ${at}`, 0);
  expect(counter.waitMs("key 0", 1)).toBe(0);
  expect(counter.waitMs("key 1", 1)).toBeGreaterThan(0);
  expect(counter.waitMs(`key ${Counter.mostKeys}`, 1)).toBeGreaterThan(0);
});

test("An IPv6 customer is known by his network, however the address is written", () => {
  expect(peerKey("2001:db8:0:1::5")).toBe(peerKey("2001:0db8:0000:0001:ffff::9"));
  expect(peerKey("2001:db8:0:1::5")).not.toBe(peerKey("2001:db8:0:2::5"));
});

test("An IPv4 address stands for itself, also in its IPv6 form", () => {
  expect(peerKey("::ffff:203.0.113.9")).toBe("203.0.113.9");
});

test("This machine is nobody: an unnamed proxy would make all customers share one limit", () => {
  expect([peerKey("127.0.0.1"), peerKey("::1"), peerKey("::ffff:127.0.0.1"), peerKey("unknown")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
