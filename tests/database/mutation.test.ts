import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { equivalents } from "#tests/torture/mutants.ts";
import { describeMutations, runMutations } from "#tests/torture/mutation.ts";

describeDatabase("A weakened database", (open) => {
  test("is noticed by the rights matrix, whichever policy, grant, constraint, trigger or guard is weakened", async () => {
    const every = inGateOrLong(4, 1);
    const figures = await runMutations(open(), every);
    console.log(describeMutations(figures));
    expect(figures.survivors).toEqual([]);
    expect(figures.wronglyExcused).toEqual([]);
    for (const kind of ["policy", "grant", "constraint", "trigger", "guard"])
      expect(figures.tried[kind], kind).toBeGreaterThan(20 / every);
    expect(Object.keys(equivalents).length).toBeLessThanOrEqual(2);
  }, 300_000);
});
