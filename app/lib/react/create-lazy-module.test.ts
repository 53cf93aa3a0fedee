import { expect, it, vi } from "vitest";
import { createLazyModule } from "./create-lazy-module.ts";

it("A lazy module is null until it has been fetched", async () => {
  const panel = createLazyModule(async () => ({ name: "panel" }), vi.fn());
  expect(panel.get()).toBeNull();
  await panel.fetch();
  expect(panel.get()).toEqual({ name: "panel" });
});

it("A lazy module that cannot be fetched is reported, and fetched by the next call", async () => {
  const lost = new TypeError("Failed to fetch");
  const load = vi.fn().mockRejectedValueOnce(lost).mockResolvedValueOnce("code");
  const onFailure = vi.fn();
  const panel = createLazyModule<string>(load, onFailure);
  await panel.fetch();
  expect(panel.get()).toBeNull();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(lost);
  await panel.fetch();
  expect(panel.get()).toBe("code");
  expect(onFailure).toHaveBeenCalledTimes(1);
});
