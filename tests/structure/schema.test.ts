import { expect, it } from "vitest";
import { readSchema, requireBuiltSchema } from "#tests/support/schema.ts";

it("the first migration is what npm run schema builds from supabase/schema", requireBuiltSchema);

it("every schema file in a folder has a different number", () => {
  const files = readSchema().map(({ path }) => path);
  expect(files.length).toBeGreaterThan(50);
  const numbers = files.map((path) =>
    /schema\/(\d+)-[a-z]+\/(\d+)-[a-z-]+\.sql$/.exec(path)?.slice(1).join("-"),
  );
  expect(numbers).not.toContain(undefined);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
