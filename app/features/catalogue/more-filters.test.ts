import { expect, test } from "vitest";
import type { Choice } from "./catalogue.queries.ts";
import { PRICE_RANGES, readCatalogueQuery } from "./catalogue-query.ts";
import { moreFilters, sorting } from "./more-filters.ts";

const query = (search = "") => readCatalogueQuery(new URLSearchParams(search));
const choice = (kind: Choice["choice"], value: string, books: number): Choice => ({
  choice: kind,
  value,
  books,
});
const labelsOf = (choices: Choice[], search = "") =>
  moreFilters(choices, query(search)).map(({ options }) => options.map(({ label }) => label));

const [first = "", second = ""] = PRICE_RANGES;
const last = PRICE_RANGES.at(-1) ?? "";
const bounds = (range: string) => range.split("-");

test("Each choice says how many books it shows; grades and prices are in their order", () => {
  const choices = [
    choice("grade", "Basic 10", 2),
    choice("grade", "Basic 2", 1),
    choice("stock", "in", 7),
    choice("price", String(PRICE_RANGES.length - 1), 3),
    choice("price", "1", 5),
    choice("price", "0", 4),
    choice("kind", "stationery", 2),
    choice("kind", "book", 8),
  ];
  expect(labelsOf(choices)).toEqual([
    ["Basic 2 (1)", "Basic 10 (2)"],
    [
      `Under GH₵${bounds(first)[1]} (4)`,
      `GH₵${bounds(second)[0]} to ${bounds(second)[1]} (5)`,
      `GH₵${bounds(last)[0]} and more (3)`,
    ],
    ["In stock (7)"],
    ["Books (8)", "Stationery (2)"],
  ]);
  const [grade, price, stock] = moreFilters(choices, query());
  expect(grade).toMatchObject({ name: "grade", label: "Grade level", all: "All Grade Levels" });
  expect(price).toMatchObject({ name: "price", label: "Price", all: "Any Price" });
  expect(price?.options.map(({ value }) => value)).toEqual([first, second, last]);
  expect(stock).toMatchObject({
    name: "stock",
    label: "Stock",
    all: "All Books",
    options: [{ value: "in" }],
  });
});

test("An active filter stays among the choices, even with no books, and is listed only once", () => {
  const on = `grade=Basic%202&price=${second}&stock=in`;
  expect(labelsOf([choice("stock", "in", 7)], on)).toEqual([
    ["Basic 2 (0)"],
    [`GH₵${bounds(second)[0]} to ${bounds(second)[1]} (0)`],
    ["In stock (7)"],
  ]);
});

test("Kinds are offered only where there is more than one, or one is chosen", () => {
  const onlyBooks = [choice("kind", "book", 8)];
  const kinds = (search: string) =>
    moreFilters(onlyBooks, query(search)).filter(({ name }) => name === "kind");
  expect(kinds("")).toEqual([]);
  expect(kinds("kind=digital")).toEqual([
    {
      name: "kind",
      label: "Kind",
      all: "All Kinds",
      options: [
        { value: "book", label: "Books (8)" },
        { value: "digital", label: "Digital (0)" },
      ],
    },
  ]);
});

test("The catalogue can be sorted by each order that its URL accepts", () => {
  const { name, label, all, options } = sorting(query());
  expect([name, label, all]).toEqual(["sort", "Sort by", "Sort by title"]);
  expect(options.map(({ value, label }) => [query(`sort=${value}`).sort, label])).toEqual([
    ["price", "Sort by price, lowest first"],
    ["price-desc", "Sort by price, highest first"],
    ["newest", "Newest first"],
    ["rating", "Best rated first"],
  ]);
});

test("A searched text can also be sorted by best match, which may be its usual order", () => {
  const searched = new URLSearchParams("q=maths");
  expect(sorting(readCatalogueQuery(searched, "title")).options[0]).toEqual({
    value: "best",
    label: "Best match first",
  });
  expect(sorting(readCatalogueQuery(searched, "best"))).toMatchObject({
    all: "Best match first",
    options: [{ value: "title", label: "Sort by title" }, {}, {}, {}, {}],
  });
});
