import { expect, test } from "vitest";
import { readRefusalFacts } from "./refusal-facts.ts";

test("A refusal's facts are an object; anything else counts as none", () => {
  expect(readRefusalFacts('{"a": 1}')).toEqual({ a: 1 });
  for (const details of [undefined, null, "", "null", "1", "{"])
    expect(readRefusalFacts(details)).toEqual({});
});
