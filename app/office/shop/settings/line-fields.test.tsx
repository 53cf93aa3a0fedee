import { type HTMLElement, parse } from "node-html-parser";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { deliveryCosts, taxSentence } from "#app/features/law/law-values.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { ClaimsPreview } from "./claims-preview.tsx";
import { FeeFields } from "./fee-fields.tsx";
import { feeLines, type Line, type TaxCells, taxLines } from "./setting-lines.ts";
import { TaxFields } from "./tax-fields.tsx";

const show = (content: ReactNode) => parse(renderToStaticMarkup(content));
const textOf = (element: HTMLElement | null) => (element?.text ?? "").replace(/\s+/g, " ").trim();
const shared = { hint: "A hint.", onChange: () => undefined };
const fees = { ...shared, name: "deliveryFees", label: "Delivery fees" };
const taxes = { ...shared, name: "taxes", label: "Taxes" };
const keyed = <Cells,>(cells: readonly Cells[]) =>
  cells.map((each, key) => ({ ...each, key })) as Line<Cells>[];

test("shows below the delivery fees what the page on delivery and returns says", () => {
  const value = [{ regions: ["Volta" as const], below: 300, fee: 20.5 }, { fee: 45 }];
  const page = show(<FeeFields {...fees} lines={keyed(value.map(feeLines.cellsOf))} />);
  const preview = page.querySelector('[aria-label="Delivery fees, as customers see them"]') as HTMLElement;
  expect(preview.querySelectorAll("li").map(textOf)).toEqual(deliveryCosts(value));
  expect(textOf(preview)).toContain("once they've chosen their region");
  const without = show(<FeeFields {...fees} lines={[]} />);
  expect(without.querySelectorAll("section li").map(textOf)).toEqual(deliveryCosts([]));
});

test("shows below the taxes what the terms and an invoice say", () => {
  const value = [
    { name: "VAT", percent: 15 },
    { name: "NHIL", percent: 5 },
  ];
  const text = textOf(show(<TaxFields {...taxes} lines={keyed(value.map(taxLines.cellsOf))} />));
  expect(text).toContain(taxSentence(value));
  expect(text).toContain("On an invoice of GH₵100.00:");
  expect(text).toContain("Before taxGH₵83.33");
  expect(text).toContain("Including VAT 15%GH₵12.50");
  expect(textOf(show(<TaxFields {...taxes} lines={[]} />))).toContain("“They include all taxes.”");
});

const wrong: TaxCells[] = [
  { name: "VAT", percent: "15" },
  { name: "NHIL", percent: "x" },
];

test("shows the error at the refused line's field and names that field so that it gets the focus", () => {
  const page = show(<TaxFields {...taxes} error="Check line 2." lines={keyed(wrong)} />);
  const invalid = page.querySelectorAll("[aria-invalid]");
  expect(invalid).toHaveLength(1);
  expect(invalid[0]?.getAttribute("name")).toBe("taxes");
  expect(page.querySelectorAll('[name="taxes"]')).toHaveLength(1);
  expect(textOf(page.getElementById(invalid[0]?.getAttribute("aria-describedby") ?? ""))).toBe(
    "Enter a percentage above 0, such as 15 or 2.5.",
  );
  expect(textOf(page)).toContain("Complete every line to see the preview.");
  // The first note is the list's own.
  expect(textOf(page.querySelector("p"))).toBe("A hint.");
});

test("shows no error on a half-typed line, and shows the server's refusal at the list", () => {
  const typing = show(<TaxFields {...taxes} lines={keyed(wrong)} />);
  expect(typing.querySelectorAll("[aria-invalid]")).toEqual([]);
  const complete = keyed([{ name: "VAT", percent: "15" }]);
  const refused = show(<TaxFields {...taxes} error="Someone else has saved: VAT 20" lines={complete} />);
  expect(textOf(refused.querySelector("p"))).toBe("Someone else has saved: VAT 20");
  expect(refused.querySelector('[name="taxes"]')?.tagName).toBe("BUTTON");
});

test("shows figures and claims as the pages do, and no figure whose reason is empty", () => {
  const shop = {
    ...firstShop,
    years: "12+",
    trustReason: "",
    satisfaction: "97%",
    yearsInWords: "twelve years",
  };
  const text = textOf(show(<ClaimsPreview shop={shop} />));
  expect(text).toContain("12+ years: We know the book lists.");
  expect(text).not.toContain("500+");
  expect(text).toContain("For twelve years");
  expect(text).toContain("97%");
  expect(textOf(show(<ClaimsPreview shop={{ ...shop, yearsInWords: "" }} />))).toContain("“About ");
});
