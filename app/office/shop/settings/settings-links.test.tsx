import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { legalFacts } from "#app/features/law/legal-facts.ts";
import { ownShop } from "#shared/owner/own-shop.ts";
import { firstShop, type Shop, shopWith } from "#shared/owner/settings.ts";
import { ContradictedTexts } from "./contradicted-texts.tsx";
import { LegalChecklist } from "./legal-checklist.tsx";

function show(content: React.ReactNode): string {
  const Page = createRoutesStub([{ path: "/admin/settings", Component: () => content }]);
  return renderToStaticMarkup(<Page initialEntries={["/admin/settings"]} />);
}
const linksOf = (html: string) =>
  [...html.matchAll(/href="[^"]*group=(\w+)"[^>]*>([^<]*)</g)].map(([, group, text]) => `${group} ${text}`);

test("the law's checklist links each missing fact to the section where it is filled in", () => {
  const shop = shopWith(ownShop as Partial<Shop>);
  const missing = legalFacts(shop).flatMap((fact) => fact.missing);
  const links = linksOf(show(<LegalChecklist shop={shop} />));
  expect(links).toHaveLength(missing.length);
  expect(links).toContain("contact Address");
  expect(links).toContain("law Legal status");
});

test("a text that promises free delivery is named where it is written, and where the fees are set", () => {
  const shop: Shop = { ...firstShop, deliveryFees: [{ fee: 45 }] };
  expect(linksOf(show(<ContradictedTexts group="delivery" shop={shop} />))).toEqual([
    "home Promise after the introduction",
    "claims Delivery, in a few words",
    "claims Delivery, as a reason to buy here",
    "delivery Delivery times and terms",
  ]);
  expect(linksOf(show(<ContradictedTexts group="home" shop={shop} />))).toEqual([
    "home Promise after the introduction",
  ]);
  expect(show(<ContradictedTexts group="law" shop={shop} />)).toBe("");
  expect(show(<ContradictedTexts group="delivery" shop={firstShop} />)).toBe("");
});
