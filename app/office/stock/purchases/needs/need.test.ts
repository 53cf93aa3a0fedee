import { describe, expect, it } from "vitest";
import type { Need, NeedingList } from "./need.admin-queries.ts";
import { explainNeed, groupNeeds, openTerms, usualTerm } from "./need.ts";

const none: Need = {
  book_id: "a",
  title: "Maths 4",
  publisher: "Adom",
  isbn: null,
  supplier_id: null,
  supplier_name: null,
  lists: [],
  listed: 0,
  sold_in_year: 0,
  sold_last_year: 0,
  sold_in_term: 0,
  waiting: 0,
  stock: 0,
  on_its_way: 0,
  drafted: 0,
  needed: 0,
  proposed: 0,
  found: 1,
};

const list = (class_name: string, pupils: number | null, others: Partial<NeedingList> = {}): NeedingList => ({
  booklist_id: class_name,
  school: "Asante Primary",
  class_name,
  pupils,
  copies: 1,
  is_required: true,
  ...others,
});

describe("the reasons of a proposal", () => {
  it("show the whole calculation in one sentence", () => {
    const need = {
      lists: [list("P4", 120)],
      listed: 120,
      waiting: 20,
      stock: 30,
      on_its_way: 40,
      needed: 140,
    };
    expect(explainNeed({ ...none, ...need, proposed: 70 })).toEqual([
      "Needed 140 = 120 pupils of P4 at Asante Primary + 20 waiting; 30 in stock, 40 on their way → order 70",
    ]);
  });

  it("name the larger of booklists and last year's sales, and the other as not counted", () => {
    const both = {
      ...none,
      lists: [list("P4", 50, { copies: 2 })],
      listed: 100,
      sold_in_year: 15,
      drafted: 5,
      sold_last_year: 80,
    };
    expect(explainNeed({ ...both, needed: 85, proposed: 80 })).toEqual([
      "Needed 85 = 2 copies for each of 50 pupils of P4 at Asante Primary − 15 sold this school year; 0 in stock, 5 in drafts → order 80",
      "Other estimate, from last year: 80 sold in the same term last year",
    ]);
    expect(explainNeed({ ...both, sold_last_year: 90, sold_in_term: 3, needed: 87, proposed: 82 })).toEqual([
      "Needed 87 = 90 sold in the same term last year − 3 sold for this one; 0 in stock, 5 in drafts → order 82",
      "Other estimate, from booklists: 2 copies for each of 50 pupils of P4 at Asante Primary − 15 sold this school year",
    ]);
  });

  it("count the lists that they don't name, and name those that add nothing", () => {
    const lists = [
      ...["P1", "P2", "P3", "P4", "P5"].map((name) => list(name, 10)),
      list("P6", null),
      list("JHS 1", 30, { is_required: false }),
    ];
    expect(explainNeed({ ...none, lists, listed: 50, needed: 50, proposed: 50 })).toEqual([
      "Needed 50 = 10 pupils of P1 at Asante Primary + 10 pupils of P2 at Asante Primary + 10 pupils of P3 at Asante Primary + 20 copies for 2 other classes; 0 in stock → order 50",
      "Pupils unknown: P6 at Asante Primary",
      "Optional, not counted: JHS 1 at Asante Primary",
    ]);
  });

  it("say so when more was sold than the lists need", () => {
    const lists = [list("P4", 1200), list("P6", null)];
    expect(explainNeed({ ...none, lists, listed: 1200, sold_in_year: 1300, stock: 2000 })).toEqual([
      "Needed 0; 2,000 in stock → order 0",
      "Sold already: 1,200 pupils of P4 at Asante Primary − 1,300 sold this school year",
      "Pupils unknown: P6 at Asante Primary",
    ]);
  });

  it("say that nothing is needed for a title whose pupils are unknown", () => {
    expect(explainNeed({ ...none, lists: [list("P6", null)], stock: 4 })).toEqual([
      "Needed 0; 4 in stock → order 0",
      "Pupils unknown: P6 at Asante Primary",
    ]);
  });
});

it("groups lines by supplier in their order", () => {
  const of = (book_id: string, supplier: string | null) => ({
    ...none,
    book_id,
    supplier_id: supplier,
    supplier_name: supplier,
  });
  const groups = groupNeeds([of("1", "Adom"), of("2", "Adom"), of("3", "Sedco"), of("4", null)]);
  expect(groups.map(({ name, needs }) => [name, needs.map(({ book_id }) => book_id).join("")])).toEqual([
    ["Adom", "12"],
    ["Sedco", "3"],
    ["Without a supplier", "4"],
  ]);
});

describe("the term that is bought for", () => {
  const terms = [
    { name: "2", from: "2027-01-12", to: "2027-04-15" },
    { name: "1", from: "2026-09-15", to: "2026-12-17" },
    { name: "0", from: "2026-05-05", to: "2026-07-30" },
  ];
  it("is the next one, or the current one while there is no next one", () => {
    expect(openTerms(terms, "2026-11-27").map(({ name }) => name)).toEqual(["1", "2"]);
    expect(usualTerm(terms, "2026-11-27")?.name).toBe("2");
    expect(usualTerm(terms, "2027-01-12")?.name).toBe("2");
    expect(usualTerm(terms, "2027-04-16")).toBeUndefined();
  });
});
