import { expect, test } from "vitest";
import { isWriteToLostConnection } from "./driver-fault.ts";

const driver = "    at write (file:///shop/node_modules/postgres/src/connection.js:254:5)";
const own = "    at answer (file:///shop/server/api/api.ts:20:3)";

test.each([
  [TypeError, [driver, own], true],
  [TypeError, [own, driver], false],
  [RangeError, [driver], false],
  [TypeError, null, false],
])("Only the driver's own write to a lost connection is passed over (%#)", (Kind, frames, isPassedOver) => {
  const error = new Kind("Cannot read properties of null (reading 'write')");
  if (frames) error.stack = [`${error}`, ...frames].join("\n");
  else delete error.stack;
  expect(isWriteToLostConnection(error)).toBe(isPassedOver);
});
