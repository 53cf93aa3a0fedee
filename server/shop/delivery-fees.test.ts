import { expect, test } from "vitest";
import type { Sql } from "../database/sql.ts";
import { StartError } from "../lib/start-error.ts";
import { writeDeliveryFees } from "./delivery-fees.ts";

const answering = (query: Sql["query"]) => ({ query }) as Sql;

test("The owner's delivery fees are written as they are in the file", async () => {
  const asked: unknown[] = [];
  const query = async (...question: unknown[]) => asked.push(question) && [];
  await writeDeliveryFees(answering(query as Sql["query"]), [{ regions: ["Volta"], below: 500, fee: 20 }]);
  expect(asked).toEqual([
    ["select private.set_delivery_fees($1::text::jsonb)", ['[{"regions":["Volta"],"below":500,"fee":20}]']],
  ]);
});

test.each(["23514", "22003", "23502"])("An impossible fee (%s) ends the start in one line", async (code) => {
  const refused = () => Promise.reject(Object.assign(new Error("violates"), { code }));
  const written = writeDeliveryFees(answering(refused), []);
  await expect(written).rejects.toThrow(StartError);
  await expect(written).rejects.toThrow(
    "A delivery fee in app/owner/shop.ts is impossible: it names a region that Ghana doesn't have, or an amount that is not between 0 and 99,999.99 cedis",
  );
});

test.each(["57P01", undefined])("Another failure (%s) is not blamed on the fees", async (code) => {
  const failure = Object.assign(new Error("lost"), { code });
  await expect(
    writeDeliveryFees(
      answering(() => Promise.reject(failure)),
      [],
    ),
  ).rejects.toBe(failure);
});
