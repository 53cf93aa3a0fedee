import { expect, test } from "vitest";
import { pagingArguments } from "./paging.ts";

test("A list is read from the database in its order, fifty rows a page", () => {
  expect(pagingArguments({ page: 3, q: "maths", sort: { key: "title", descending: true } })).toEqual({
    _sort: "title",
    _descending: true,
    _page: 3,
    _page_size: 50,
  });
});
