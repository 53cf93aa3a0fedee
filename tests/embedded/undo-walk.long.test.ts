import { expect, test } from "vitest";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { walkWithUndo } from "#tests/torture/undo-walk.ts";

const KINDS = [
  "set a status",
  "ship with carrier",
  "send some copies",
  "delete the order",
  "return copies",
  "change quantities",
  "keep what is owed back",
];

test("Every undo of staff restores an order, its stock, sums and unsent emails, also after the shop was killed", async () => {
  const seed = Number(process.env.TEST_SEED);
  const { undone, kills } = await walkWithUndo({ seed, steps: 400, kills: 4, prepare: copyPreparedFolder });
  expect(kills).toBeGreaterThan(0);
  for (const kind of KINDS) expect(undone[kind] ?? 0, kind).toBeGreaterThan(0);
}, 900_000);
