import { describe, expect, it, vi } from "vitest";
import { createCatalogueCache } from "./catalogue-cache.ts";

describe("the cache for a state of the catalogue", () => {
  it("reads once until the catalogue changes, and then again", async () => {
    const cache = createCatalogueCache();
    const read = vi.fn(async () => 7);
    expect(await cache("1", "client 1")("count", read)).toBe(7);
    expect(await cache("1", "client 1")("count", read)).toBe(7);
    expect(read).toHaveBeenCalledTimes(1);
    await cache("2", "client 1")("count", read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("does not cache a response that arrives after the catalogue has changed", async () => {
    const cache = createCatalogueCache();
    let respond: (value: number) => void = () => {};
    const late = cache("1", "client 1")("count", () => new Promise<number>((resolve) => (respond = resolve)));
    expect(await cache("2", "client 1")("count", async () => 2)).toBe(2);
    respond(1);
    expect(await late).toBe(1);
    expect(await cache("2", "client 1")("count", async () => 3)).toBe(2);
  });

  it("shares a pending read with one client only, and a finished one with all", async () => {
    const cache = createCatalogueCache();
    let respond: (value: number) => void = () => {};
    const slow = vi.fn(() => new Promise<number>((resolve) => (respond = resolve)));
    const first = [cache("1", "client 1")("count", slow), cache("1", "client 1")("count", slow)];
    expect(slow).toHaveBeenCalledOnce();
    expect(await cache("1", "client 2")("count", async () => 7)).toBe(7);
    respond(7);
    expect(await Promise.all(first)).toEqual([7, 7]);
    const read = vi.fn(async () => 0);
    expect(await cache("1", "client 3")("count", read)).toBe(7);
    expect(read).not.toHaveBeenCalled();
  });

  it("does not cache failures, nor anything when the state is unknown", async () => {
    const cache = createCatalogueCache();
    await expect(
      cache("1", "client 1")("count", async () => Promise.reject(new Error("no response"))),
    ).rejects.toThrow();
    expect(await cache("1", "client 1")("count", async () => 5)).toBe(5);
    const read = vi.fn(async () => 1);
    await cache(null, "client 1")("count", read);
    await cache(null, "client 1")("count", read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("holds at most 500 entries", async () => {
    const cached = createCatalogueCache()("1", "client 1");
    for (let n = 0; n <= 500; n++) await cached(`count ${n}`, async () => n);
    const read = vi.fn(async () => 0);
    await cached("count 500", read);
    expect(read).not.toHaveBeenCalled();
    await cached("count 0", read);
    expect(read).toHaveBeenCalledOnce();
  });
});
