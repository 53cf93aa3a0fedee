import { PGlite } from "@electric-sql/pglite";
import { expect, onTestFinished, test } from "vitest";
import { watchForPanic } from "./panic.ts";

test("A statement that PostgreSQL would end itself for is noticed before the next one; plain errors are not", async () => {
  const database = new PGlite();
  onTestFinished(() => database.close());
  let panics = 0;
  watchForPanic(database, () => {
    panics += 1;
  });
  await expect(database.query("select nothing")).rejects.toThrow("nothing");
  await expect(database.exec("select nothing")).rejects.toThrow("nothing");
  expect((await database.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  expect(panics).toBe(0);

  const failing = {
    execProtocol: () => Promise.reject(Object.assign(new Error("could not write"), { severity: "PANIC" })),
    execProtocolStream: () => Promise.reject(Object.assign(new Error("gone"), { severity: "FATAL" })),
  };
  watchForPanic(failing, () => {
    panics += 1;
  });
  await expect(failing.execProtocol()).rejects.toThrow("could not write");
  await expect(failing.execProtocolStream()).rejects.toThrow("gone");
  expect(panics).toBe(2);
});
