import { beforeAll, describe, expect, test } from "vitest";
import { type Attempt, listAttempts, responseTo } from "#tests/rights/attempts.ts";
import { findDifferences } from "#tests/rights/catalogue.ts";
import { buckets, publicFunctions, tables } from "#tests/rights/matrix.ts";
import { printRights } from "#tests/rights/page.ts";
import { makeWorld, type World } from "#tests/rights/world.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { undoing } from "#tests/support/undoing.ts";

describeDatabase("The rights matrix", (open) => {
  let world: World;
  let attempts: Attempt[];
  beforeAll(async () => {
    world = await makeWorld(open());
    attempts = await listAttempts(open().query);
  });

  test("names every table, column grant, function, sequence, bucket, trigger and constraint, and nothing else", async () => {
    expect(await findDifferences(open().query)).toEqual([]);
  });

  /** The attempts that the database answers otherwise than stated. */
  const wrongAnswers = (chosen: Attempt[]) =>
    undoing(open().transaction, async (query) => {
      const wrong: string[] = [];
      for (const attempt of chosen) {
        const response = await responseTo(query, attempt, world);
        if (response !== attempt.expected)
          wrong.push(
            `${attempt.about}: ${attempt.person} ${attempt.title}: ${response} instead of ${attempt.expected}`,
          );
      }
      return wrong;
    });

  describe("matches the database", () => {
    test.for(tables.map(({ name }) => name))("about %s", async (name) => {
      const chosen = attempts.filter(({ about }) => about === `public.${name}`);
      expect(chosen.length).toBeGreaterThan(10);
      expect(await wrongAnswers(chosen)).toEqual([]);
    });

    test("about everything else: functions, files, triggers, constraints", async () => {
      const listed = new Set(tables.map(({ name }) => `public.${name}`));
      const chosen = attempts.filter(({ about }) => !listed.has(about));
      expect(chosen.length).toBeGreaterThan(200);
      expect(await wrongAnswers(chosen)).toEqual([]);
    });
  });
});

test("lists each table, function, bucket and case on the page that npm run rights writes", () => {
  const page = printRights();
  const missing = [
    ...tables.map(({ name }) => `### ${name}\n`),
    ...publicFunctions.map(({ call }) => `| \`${call}\` `),
    ...buckets.map(({ id }) => `Bucket \`${id}\`: `),
  ].filter((text) => !page.includes(text));
  expect(missing).toEqual([]);
});
