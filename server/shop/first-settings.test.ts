import { expect, test } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import type { Sql } from "../database/sql.ts";
import { StartError } from "../lib/start-error.ts";
import { writeFirstSettings } from "./first-settings.ts";

const answering = (query: Sql["query"]) => ({ query }) as Sql;

const shop = {
  ...firstShop,
  name: "Kente Books",
  deliveryFees: [{ regions: ["Volta"], below: 500, fee: 20 }] as const,
  searchWords: [["maths", "mathematics"]],
  terms: "Orders are contracts.",
  deliveryAndReturns: "Within seven days.",
};

test("the database gets the first values as they are in the files, and whether customers pay online", async () => {
  const asked: unknown[] = [];
  const query = async (...question: unknown[]) => asked.push(question) && [];
  await writeFirstSettings(answering(query as Sql["query"]), true, shop);
  expect(asked).toEqual([
    ["select private.set_first_settings($1::text::jsonb)", [JSON.stringify({ ...shop, paysOnline: true })]],
  ]);
});

test.each(["23514", "22003", "23502"])("An impossible fee (%s) ends the start in one line", async (code) => {
  const refused = () => Promise.reject(Object.assign(new Error("violates"), { code }));
  const written = writeFirstSettings(answering(refused), undefined, shop);
  await expect(written).rejects.toThrow(StartError);
  await expect(written).rejects.toThrow(
    "A delivery fee in shared/owner/shop.ts is impossible: it names a region that Ghana doesn't have, or an amount that is not between 0 and 99,999.99 cedis",
  );
});

test.each(["57P01", undefined])("Another failure (%s) is not blamed on the fees", async (code) => {
  const failure = Object.assign(new Error("lost"), { code });
  await expect(
    writeFirstSettings(
      answering(() => Promise.reject(failure)),
      undefined,
      shop,
    ),
  ).rejects.toBe(failure);
});
