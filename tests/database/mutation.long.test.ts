import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { equivalents } from "#tests/torture/mutants.ts";
import { describeMutations, runMutations } from "#tests/torture/mutation.ts";

describeDatabase("A weakened database", (open) => {
  test("the rights matrix notices each weakened policy, grant, constraint, trigger, guard or duty", async () => {
    const figures = await runMutations(open());
    console.log(describeMutations(figures));
    expect(figures.survivors).toEqual([]);
    expect(figures.wronglyExcused).toEqual([]);
    for (const kind of ["policy", "grant", "constraint", "trigger", "guard", "duty"])
      expect(figures.tried[kind], kind).toBeGreaterThan(20);
    expect(Object.keys(equivalents).length).toBeLessThanOrEqual(2);
  }, 300_000);
});
