import { type DeliveryFee, REGIONS } from "#shared/orders/delivery.ts";
import type { Tax } from "#shared/owner/document-terms.ts";
import { type SchoolTerm, type SettingKind, type SettingName, settings } from "#shared/owner/settings.ts";
import { feeLines, sameValue, taxLines } from "./setting-lines.ts";

/*
 * Settings as admins type them: each is a text, of one line or several. The database checks the values again and has the last
 * word; what is refused here is refused without asking it.
 */

/** A value, or why a text isn't one. */
type Read = { value: unknown } | { problem: string };

const EVERYWHERE = "everywhere";
const feeHint =
  "Write each line as: places: fee. For example 'Greater Accra, Volta, below 300: 20', 'Everywhere, by bus: 15' or 'Everywhere: 45'.";
const methodWords = { deliver: "to the address", bus_station: "by bus" } as const;
const taxHint = "Write each tax as its name and its percentage, such as 'VAT 15'.";

const termHint = "Write each term as its name, first day and last day: 'Term 1: 2026-09-15 to 2026-12-17'.";

/** Whether the calendar has this day, such as '2026-09-15'. */
const isDay = (day: string) => new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) ?? false;

const cedis = (amount: number) => amount.toLocaleString("en-GB", { useGrouping: false });

function feeText({ method, regions, below, fee }: DeliveryFee): string {
  const parts = [
    ...(regions ?? [EVERYWHERE]),
    ...(method === undefined ? [] : [methodWords[method] ?? method]),
    ...(below === undefined ? [] : [`below ${cedis(below)}`]),
  ];
  return `${parts.join(", ")}: ${cedis(fee)}`;
}

const taxText = ({ name, percent }: Tax) => `${name} ${percent}`;

type LineText<Value> = {
  isValue: (stored: object) => stored is Value & object;
  write: (value: Value) => string;
  read: (line: string) => Value | null;
};

/** Lines that this notation can't express are shown as stored JSON, so that editing another line doesn't lose them. */
const linesText = <Value>(values: readonly object[], { isValue, write, read }: LineText<Value>) =>
  values
    .map((value) => {
      const text = isValue(value) ? write(value) : "";
      return sameValue(read(text), value) ? text : JSON.stringify(value);
    })
    .join("\n");

/** The value of a line that is shown as stored JSON. */
function readStored(line: string): unknown {
  try {
    return line.startsWith("{") ? JSON.parse(line) : null;
  } catch {
    return null;
  }
}

/** The text in which an admin edits a setting's value. */
export function settingText(name: SettingName, value: unknown): string {
  const { kind } = settings[name];
  if (kind === "fees")
    return linesText(value as object[], { isValue: feeLines.isValue, write: feeText, read: readFee });
  if (kind === "taxes")
    return linesText(value as object[], { isValue: taxLines.isValue, write: taxText, read: readTax });
  if (kind === "terms")
    return (value as SchoolTerm[]).map(({ name, from, to }) => `${name}: ${from} to ${to}`).join("\n");
  if (kind === "words") return (value as string[][]).map((line) => line.join(", ")).join("\n");
  return Array.isArray(value) ? value.join("\n") : String(value);
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const amount = (text: string) => {
  const bare = text.replace(/^(GH)?₵/i, "").trim();
  return /^\d{1,5}(\.\d{1,2})?$/.test(bare) ? Number(bare) : null;
};

/** 'Greater Accra, by bus, below 300: 20' */
function readFee(line: string): DeliveryFee | null {
  const [places, price, ...more] = line.split(":");
  const fee = amount(price?.trim() ?? "");
  if (places === undefined || fee === null || more.length > 0) return null;
  const regions: (typeof REGIONS)[number][] = [];
  let below: number | undefined;
  let method: DeliveryFee["method"];
  let isEverywhere = false;
  for (const part of places.split(",").map((each) => each.trim().toLowerCase())) {
    const region = REGIONS.find((each) => each.toLowerCase() === part);
    const limit = /^(?:below|under)\s+(.+)$/.exec(part)?.[1];
    if (region) regions.push(region);
    else if (part === EVERYWHERE) isEverywhere = true;
    else if (part === methodWords.deliver && !method) method = "deliver";
    else if (part === methodWords.bus_station && !method) method = "bus_station";
    else if (limit && amount(limit)) below = amount(limit) as number;
    else return null;
  }
  if (isEverywhere === regions.length > 0) return null;
  return {
    ...(method && { method }),
    ...(regions.length > 0 && { regions }),
    ...(below !== undefined && { below }),
    fee,
  };
}

/** Every line read, or what is wrong with the first that can't be. */
function readLines<Value>(text: string, read: (line: string) => Value | null, hint: string): Read {
  const value: unknown[] = [];
  for (const line of linesOf(text)) {
    const found = read(line);
    if (found === null) return { problem: `'${line}' can't be read. ${hint}` };
    value.push(found);
  }
  return { value };
}

function readTax(line: string): Tax | null {
  const [, name, percent] = /^(.+?)\s+(\d{1,3}(?:\.\d{1,3})?)\s*%?$/.exec(line) ?? [];
  return name && percent ? { name, percent: Number(percent) } : null;
}

/** 'Term 1: 2026-09-15 to 2026-12-17' */
function readTerm(line: string): SchoolTerm | null {
  const [, name, from, to] = /^(.+?)\s*:\s*(\d{4}-\d\d-\d\d)\s+to\s+(\d{4}-\d\d-\d\d)$/i.exec(line) ?? [];
  return name && from && to && isDay(from) && isDay(to) && from <= to ? { name, from, to } : null;
}

function readWords(line: string): string[] | null {
  const words = line
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  return words.length > 1 ? words : null;
}

const readers: Partial<Record<SettingKind, (text: string) => Read>> = {
  fees: (text) => readLines(text, (line) => readFee(line) ?? readStored(line), feeHint),
  taxes: (text) => readLines(text, (line) => readTax(line) ?? readStored(line), taxHint),
  terms: (text) => readLines(text, readTerm, termHint),
  words: (text) => readLines(text, readWords, "A line needs at least two words, with a comma between them."),
  lines: (text) => ({ value: linesOf(text) }),
  phones: (text) => ({ value: linesOf(text) }),
  number: (text) =>
    /^\d+$/.test(text.trim())
      ? { value: Number(text.trim()) }
      : { problem: "Write a whole number, 0 or more." },
  yes: (text) => ({ value: text === "true" }),
};

/** How a line of such a setting is written, where it is edited as text. */
export const lineHints = { fees: feeHint, taxes: taxHint } as const;

/** The value that a text stands for. */
export function readSettingText(name: SettingName, text: string): Read {
  const { kind, label, max, ...rule } = settings[name];
  const read = readers[kind]?.(text) ?? { value: text.trim() };
  if ("problem" in read) return read;
  if ("required" in rule && read.value === "") return { problem: `${label} is required.` };
  const texts = Array.isArray(read.value) ? read.value : [read.value];
  const tooLong = texts.some((each) => typeof each === "string" && each.length > max);
  return tooLong ? { problem: `${label} is too long (at most ${max} characters).` } : read;
}
