import { expect, it } from "vitest";
import { readBooklistStatus } from "./booklist.ts";

it("reads a status, and an unknown one as a draft, so that the list stays private", () => {
  const read = ["draft", "published", "withdrawn", "lost in a later version"].map(readBooklistStatus);
  expect(read).toEqual(["draft", "published", "withdrawn", "draft"]);
});
