import { describe, expect, it } from "vitest";
import { filterChoices } from "./catalogue-filters.tsx";
import { readCatalogueQuery } from "./catalogue-query.ts";

const facet = (name: "publisher" | "course" | "subject", ...values: string[]) =>
  values.map((value) => ({ facet: name, value, books: 1 }));
const choices = (facets: ReturnType<typeof facet>, search = "") =>
  filterChoices(facets, readCatalogueQuery(new URLSearchParams(search)), demoPublishers);

/** As the demo has them. */
const demoPublishers = [
  { name: "Cambridge University Press", in_filter: false },
  { name: "Collins", in_filter: true },
  { name: "CGP", in_filter: true },
  { name: "Hachette Learning", in_filter: false },
  { name: "Schofield & Sims", in_filter: true },
  { name: "Skoldo", in_filter: true },
];

describe("the shop's filters", () => {
  it("offer the shop's publishers without Cambridge and Hachette, and the catalogue's, each once and sorted (spec 2)", () => {
    const inCatalogue = ["Zebra Press", "Collins", "Hachette Learning", "Cambridge University Press", "Adom"];
    expect(choices(facet("publisher", ...inCatalogue)).publisher).toEqual([
      "Adom",
      "CGP",
      "Collins",
      "Schofield & Sims",
      "Skoldo",
      "Zebra Press",
    ]);
  });

  it("keep an active filter that would not be offered", () => {
    expect(choices([], "publisher=Hachette%20Learning").publisher).toContain("Hachette Learning");
    expect(choices(facet("course", "IGCSE"), "course=A%20Level").course).toEqual(["A Level", "IGCSE"]);
  });
});
