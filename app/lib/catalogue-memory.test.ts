import { describe, expect, it, vi } from "vitest";
import { createCatalogueMemory } from "./catalogue-memory.ts";

describe("the memory for a state of the catalogue", () => {
  it("reads once while the catalogue stands still, and anew afterwards", async () => {
    const memory = createCatalogueMemory();
    const read = vi.fn(async () => 7);
    expect(await memory("1")("count", read)).toBe(7);
    expect(await memory("1")("count", read)).toBe(7);
    expect(read).toHaveBeenCalledTimes(1);
    await memory("2")("count", read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("keeps no answer that arrives after the catalogue has changed", async () => {
    const memory = createCatalogueMemory();
    let answer: (value: number) => void = () => {};
    const late = memory("1")("count", () => new Promise<number>((resolve) => (answer = resolve)));
    expect(await memory("2")("count", async () => 2)).toBe(2);
    answer(1);
    expect(await late).toBe(1);
    expect(await memory("2")("count", async () => 3)).toBe(2);
  });

  it("forgets failures, and keeps nothing when the state is unknown", async () => {
    const memory = createCatalogueMemory();
    await expect(memory("1")("count", async () => Promise.reject(new Error("no answer")))).rejects.toThrow();
    expect(await memory("1")("count", async () => 5)).toBe(5);
    const read = vi.fn(async () => 1);
    await memory(null)("count", read);
    await memory(null)("count", read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("holds at most 500 readings", async () => {
    const remember = createCatalogueMemory()("1");
    for (let n = 0; n <= 500; n++) await remember(`count ${n}`, async () => n);
    const read = vi.fn(async () => 0);
    await remember("count 500", read);
    expect(read).not.toHaveBeenCalled();
    await remember("count 0", read);
    expect(read).toHaveBeenCalledOnce();
  });
});
