import { expect, test } from "vitest";
import { readSend, sumSend, type TypedSend } from "./send-form.ts";

const line = (typed: Partial<TypedSend>): TypedSend => ({
  id: "a",
  title: "Atlas",
  ordered: 10,
  most: 7,
  copies: "7",
  ...typed,
});

test("sends the copies that were typed, leaves out lines without any, and counts what is left", () => {
  const lines = [
    line({ copies: " 3 " }),
    line({ id: "b", most: 4, copies: "4" }),
    line({ id: "c", copies: "" }),
  ];
  expect(readSend(lines)).toEqual([
    { order_item_id: "a", copies: 3, left: 7 },
    { order_item_id: "b", copies: 4, left: 4 },
  ]);
  expect(sumSend(lines)).toEqual({ sent: 7, left: 11 });
  expect(sumSend([line({})])).toEqual({ sent: 7, left: 0 });
});
