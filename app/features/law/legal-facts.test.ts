import { describe, expect, test } from "vitest";
import { legalTexts } from "#shared/owner/legal-texts.ts";
import { firstShop, type SettingName, type Shop, settings } from "#shared/owner/settings.ts";
import { blanksOf } from "./law-text.ts";
import { deliveryCosts, lawBlocks } from "./law-values.ts";
import { legalFacts, missingLegalFacts } from "./legal-facts.ts";

const texts = ["deliveryAndReturns", "terms", "privacy"] as const;
const withoutBlanks = (text: string) => text.replace(/ ?\[[^\]]*\]/g, "");

const site = { siteUrl: "https://shop.example" };
const pageOf = (name: (typeof texts)[number], shop: Shop) =>
  JSON.stringify(lawBlocks(shop[name], shop, site));

/** Those that hold what an owner writes. */
const writtenSettings = (Object.keys(settings) as SettingName[]).filter((name) =>
  ["line", "text", "lines", "taxes"].includes(settings[name].kind),
);

/** A shop that has filled in everything. */
const complete = {
  ...firstShop,
  legalName: "Adwene Books Limited",
  legalStatus: "Private limited company",
  registrationNumber: "CS000000000",
  placeOfRegistration: "Accra, Ghana",
  officeBearers: ["Ama Mensah"],
  memberships: ["None"],
  codeOfConduct: "None",
  disputes: "We follow no such code.",
  dataProtectionNumber: "0000",
  taxNumber: "C0000000000",
  ...Object.fromEntries(texts.map((name) => [name, withoutBlanks(firstShop[name])])),
};

describe("the law's facts", () => {
  test("section 47 has 17 facts, and the Data Protection Act one more", () => {
    const letters = legalFacts(firstShop).map(({ source }) => /\((.)\)$/.exec(source)?.[1]);
    expect(letters).toEqual([..."abcdefghijklmnopq", undefined]);
  });

  test("a new shop is told what is missing, with the blanks of its texts", () => {
    const missing = missingLegalFacts(firstShop).flatMap((fact) => fact.missing);
    for (const name of [
      "Legal status",
      "Registration number",
      "Office bearers",
      "Delivery and returns: [number]",
    ])
      expect(missing).toContain(name);
    expect(missing).not.toContain("Address");
  });

  test("nothing is missing once everything is filled in, and the pages show no blank", () => {
    expect(missingLegalFacts(complete)).toEqual([]);
    for (const name of texts) {
      const shown = pageOf(name, complete);
      expect(shown).not.toContain('"blank"');
      expect(shown, "names without a value").not.toMatch(/\{\w+\}/);
    }
  });

  test("prints the shop's name where the legal name is empty, and misses nothing", () => {
    const filled = { ...complete, legalName: "" };
    expect(missingLegalFacts(filled)).toEqual([]);
    for (const name of texts) expect(pageOf(name, filled)).not.toContain('"blank"');
    expect(pageOf("terms", filled)).toContain(JSON.stringify({ name: "Legal name", value: [filled.name] }));
    expect(pageOf("privacy", filled)).toContain(`"${filled.name}, 14 Ring Road Central`);
  });

  test("misses exactly the blanks that the pages show, whichever setting they were left in", () => {
    for (const name of writtenSettings) {
      const blank = "[still to write]";
      const { kind, label } = settings[name];
      const values: Record<string, unknown> = {
        lines: ["1 High Street", blank],
        taxes: [{ name: blank, percent: 15 }],
      };
      const shop = { ...complete, [name]: values[kind] ?? blank };
      const isShown = texts.some((text) => pageOf(text, shop).includes('"blank"'));
      const missing = new Set(missingLegalFacts(shop).flatMap((fact) => fact.missing));
      expect([...missing], label).toEqual(isShown ? [`${label}: ${blank}`] : []);
    }
  });

  test("the pages show no blank that the list of missing facts leaves out", () => {
    const filled = { ...complete, taxNumber: "" };
    const shown = JSON.stringify(lawBlocks(filled.terms, filled, { siteUrl: "https://shop.example" }));
    expect(missingLegalFacts(filled)).toEqual([]);
    expect(shown).not.toContain('"blank"');
    expect(shown).not.toContain("Tax number");
  });

  test("every name in the first texts has a value, and their blanks are the owner's", () => {
    for (const text of Object.values(legalTexts)) {
      expect(JSON.stringify(lawBlocks(text, firstShop, { siteUrl: "https://shop.example" }))).not.toMatch(
        /\{\w+\}/,
      );
      expect(blanksOf(text).length).toBeGreaterThan(0);
    }
  });
});

test("say 'All other orders' where a fee also applies to orders from a region named above", () => {
  const rest = (...fees: Parameters<typeof deliveryCosts>[0]) => deliveryCosts([...fees, { fee: 60 }]).at(-2);
  expect(rest({ regions: ["Greater Accra"], fee: 25 })).toBe("Everywhere else: GH₵60.00");
  for (const part of [{ below: 500 }, { method: "bus_station" } as const])
    expect(rest({ regions: ["Greater Accra"], ...part, fee: 25 })).toBe("All other orders: GH₵60.00");
});

test("the delivery fees are said in words", () => {
  expect(deliveryCosts([])).toEqual(["Delivery everywhere in Ghana: free", "Collecting at our shop: free"]);
  expect(
    deliveryCosts([
      { regions: ["Greater Accra"], below: 300, fee: 20 },
      { regions: ["Greater Accra"], fee: 0 },
      { fee: 45 },
    ]),
  ).toEqual([
    "Greater Accra, books for less than GH₵300.00: GH₵20.00",
    "Greater Accra: free",
    "All other orders: GH₵45.00",
    "Collecting at our shop: free",
  ]);
  expect(
    deliveryCosts([
      { method: "bus_station", fee: 15 },
      { method: "deliver", regions: ["Volta", "Oti"], fee: 60 },
    ]),
  ).toEqual([
    "Everywhere in Ghana, to a bus parcel station: GH₵15.00",
    "Volta, Oti, to your address: GH₵60.00",
    "All other orders: free",
    "Collecting at our shop: free",
  ]);
  expect(deliveryCosts([{ below: 100, fee: 15 }])).toEqual([
    "Everywhere in Ghana, books for less than GH₵100.00: GH₵15.00",
    "All other orders: free",
    "Collecting at our shop: free",
  ]);
});
