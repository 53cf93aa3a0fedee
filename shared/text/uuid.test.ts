import { expect, test } from "vitest";
import { newUuid } from "./new-uuid.ts";
import { isUuid } from "./uuid.ts";

test("Each new uuid is a different random one of version 4", () => {
  const made = Array.from({ length: 200 }, newUuid);
  for (const uuid of made)
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(made.every(isUuid)).toBe(true);
  expect(new Set(made).size).toBe(200);
});

test("Only valid uuids in a URL are taken for ids", () => {
  const id = "0f0e6a52-7c0b-4b5e-9b53-4a2f9d6e81c7";
  expect([isUuid(id), isUuid(id.toUpperCase())]).toEqual([true, true]);
  for (const text of ["", "1", `${id}0`, ` ${id}`, `${id}\n`, "undefined", "../admin"])
    expect(isUuid(text)).toBe(false);
});
