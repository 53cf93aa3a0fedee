import { type DeliveryFee, REGIONS } from "#shared/orders/delivery.ts";
import type { Tax } from "#shared/owner/document-terms.ts";
import { type SettingName, settings } from "#shared/owner/settings.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { readDecimal, readPrice } from "#shared/text/typed-price.ts";

/*
 * Settings that are lists of lines, as the form's fields: each line is a row of typed texts. The database checks the values again.
 */

/** A line of typed texts. Its key never changes while it is on the form. */
export type Line<Cells> = Cells & { key: number };

export type FeeCells = {
  /** An empty list means everywhere. */
  regions: readonly string[];
  /** An empty text means either method. */
  method: string;
  below: string;
  fee: string;
};

export type TaxCells = { name: string; percent: string };

export type Problems<Cells> = { [Cell in keyof Cells]?: string };

type Codec<Value, Cells> = {
  /** Whether a stored line has the form's fields. */
  isValue: (stored: object) => stored is Value & object;
  cellsOf: (value: Value) => Cells;
  /** What is wrong with a line; empty if nothing is. */
  problemsOf: (cells: Cells) => Problems<Cells>;
  /** The value of a line without problems. */
  valueOf: (cells: Cells) => Value;
};

const { max: maxFee } = settings.deliveryFees;

/** The methods that a fee can be for, as the form names them; the first is for both. */
export const feeMethods = {
  "": "To the address or by bus",
  deliver: "To the address",
  bus_station: "By bus, to a parcel station",
} as const;

/** Cedis; null if the text is no amount that a line may have. */
function readAmount(text: string): number | null {
  const amount = readPrice(text.trim());
  return typeof amount === "number" && amount <= pesewasFromCedis(maxFee) ? amount / 100 : null;
}

export const feeLines: Codec<DeliveryFee, FeeCells> = {
  isValue: (stored): stored is DeliveryFee => {
    const { regions, below, fee } = stored as Record<string, unknown>;
    return (
      typeof fee === "number" &&
      (regions === undefined || Array.isArray(regions)) &&
      (below === undefined || typeof below === "number")
    );
  },
  cellsOf: ({ regions, method, below, fee }) => ({
    regions: regions ?? [],
    method: method ?? "",
    below: below === undefined ? "" : String(below),
    fee: String(fee),
  }),
  problemsOf({ regions, method, below, fee }) {
    const limit = readAmount(below);
    const known: readonly string[] = REGIONS;
    return {
      ...(!regions.every((region) => known.includes(region)) && { regions: "Choose regions of Ghana." }),
      ...(!Object.hasOwn(feeMethods, method) && { method: "Choose a delivery method." }),
      ...(below.trim() !== "" &&
        !limit && {
          below: "Enter an amount in cedis, such as 300, or leave it empty.",
        }),
      ...(readAmount(fee) === null && { fee: "Enter the fee in cedis, such as 20; 0 is free." }),
    };
  },
  valueOf: ({ regions, method, below, fee }) => ({
    ...(method && { method: method as NonNullable<DeliveryFee["method"]> }),
    ...(regions.length > 0 && { regions: regions as NonNullable<DeliveryFee["regions"]> }),
    ...(below.trim() !== "" && { below: readAmount(below) as number }),
    fee: readAmount(fee) as number,
  }),
};

/** '15', '2.5 %', '2,5'; null outside 0.01 to 100. */
function readTaxPercent(text: string): number | null {
  const percent = readDecimal(text.trim().replace(/\s*%$/, ""));
  return typeof percent === "number" && percent >= 0.01 && percent <= settings.taxes.max ? percent : null;
}

const MAX_TAX_NAME = 60;

export const taxLines: Codec<Tax, TaxCells> = {
  isValue: (stored): stored is Tax => {
    const { name, percent } = stored as Record<string, unknown>;
    return typeof name === "string" && typeof percent === "number";
  },
  cellsOf: ({ name, percent }) => ({ name, percent: String(percent) }),
  problemsOf: ({ name, percent }) => ({
    ...(name.trim() === "" && { name: "Enter the tax's name, such as VAT." }),
    ...(name.trim().length > MAX_TAX_NAME && { name: `Use at most ${MAX_TAX_NAME} characters.` }),
    ...(readTaxPercent(percent) === null && { percent: "Enter a percentage above 0, such as 15 or 2.5." }),
  }),
  valueOf: ({ name, percent }) => ({ name: name.trim(), percent: readTaxPercent(percent) as number }),
};

/** The settings that are edited as lines. */
const codecs = { deliveryFees: feeLines, taxes: taxLines };

export type SettingLines = readonly Line<FeeCells>[] | readonly Line<TaxCells>[];

const codecOf = (name: SettingName) =>
  (Object.hasOwn(codecs, name) ? codecs[name as keyof typeof codecs] : null) as Codec<unknown, object> | null;

/** Returns null for a value that the fields can't show in full: saving would lose the rest. */
export function settingLines(name: SettingName, value: unknown): SettingLines | null {
  const codec = codecOf(name);
  if (!codec || !Array.isArray(value) || !value.every((line) => line && codec.isValue(line))) return null;
  const lines = value.map((line, key) => ({ ...codec.cellsOf(line), key }));
  const read = lines.every((cells) => isEmpty(codec.problemsOf(cells))) ? lines.map(codec.valueOf) : null;
  return sameValue(read, value) ? (lines as unknown as SettingLines) : null;
}

/** The value that lines stand for, or which line is the first with a problem. */
export function readSettingLines(
  name: SettingName,
  lines: SettingLines,
): { value: unknown[] } | { problem: string } {
  const codec = codecOf(name) as Codec<unknown, object>;
  const wrong = lines.findIndex((cells) => !isEmpty(codec.problemsOf(cells)));
  return wrong < 0 ? { value: lines.map(codec.valueOf) } : { problem: `Check line ${wrong + 1}.` };
}

/** Adds a line with a key that no other line has. */
export const withLine = <Cells>(lines: readonly Line<Cells>[], cells: Cells): Line<Cells>[] => [
  ...lines,
  { ...cells, key: 1 + Math.max(-1, ...lines.map(({ key }) => key)) },
];

/** The line one place up or down; at an end it stays. */
export function withLineMoved<Cells>(
  lines: readonly Line<Cells>[],
  at: number,
  step: -1 | 1,
): readonly Line<Cells>[] {
  const [line, other] = [lines[at], lines[at + step]];
  if (!line || !other) return lines;
  return lines.map((each) => (each === line ? other : each === other ? line : each));
}

const isEmpty = (problems: object) => Object.keys(problems).length === 0;

/** Whether two values of a setting are stored alike. */
export const sameValue = (one: unknown, other: unknown) => canonical(one) === canonical(other);

/** The same text for the same value, however its keys are ordered: the database orders them in its own way. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
