import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateTypes } from "#tests/support/types.ts";

test("the committed database types match the migrations (npm run types)", async () => {
  const committed = readFileSync(new URL("../../shared/calls/database.types.ts", import.meta.url), "utf8");
  expect(committed).toBe(await generateTypes());
});
