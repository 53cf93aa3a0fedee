import { FORGET_EVENT, STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { createStore } from "#app/lib/react/create-store.ts";
import { MAX_LINES, type PadLine } from "./pad.ts";

/**
 * The lines of the pad, stored in this browser for a week, so that they are still there after signing in or the next day.
 * `checkedAt` grows whenever the books of the lines must be looked up again. `changedAt` is
 * when the lines last changed, in whichever tab.
 */
export type PadState = { lines: readonly PadLine[]; checkedAt: number; changedAt: number };

const KEY = `${STORAGE_PREFIX}bulk-order`;
const item = createStoredItem("local", KEY);
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

const empty: PadState = { lines: [], checkedAt: 0, changedAt: 0 };

export const pad = createStore<PadState>(empty);

if (typeof window !== "undefined") {
  pad.set(readStored());
  window.addEventListener(FORGET_EVENT, () => pad.set(empty));
  // Another tab has changed the lines, or added them.
  window.addEventListener("storage", ({ key }) => key === KEY && pad.set(readStored()));
}

/** Changes and stores the lines; with `check`, their books are looked up again. */
export function changePad(lines: readonly PadLine[], { check = false } = {}): void {
  const { checkedAt, ...before } = pad.get();
  // Otherwise two tabs would send each other the same change for ever.
  const isSame = JSON.stringify(lines) === JSON.stringify(before.lines);
  const changedAt = isSame ? before.changedAt : Date.now();
  pad.set({ lines, checkedAt: check ? Math.max(Date.now(), checkedAt + 1) : checkedAt, changedAt });
  if (isSame) return;
  if (lines.length === 0) item.remove();
  else item.write({ lines, at: changedAt });
}

function readStored(): PadState {
  const stored = item.read() as { lines?: unknown; at?: unknown } | null;
  const changedAt = Number(stored?.at);
  if (!Array.isArray(stored?.lines) || !(Date.now() - changedAt < MAX_AGE_MS)) return empty;
  const lines = stored.lines.filter(isPadLine).slice(0, MAX_LINES);
  // The cart may now accept what it refused before.
  return { lines: lines.map((line) => ({ ...line, refusal: null })), checkedAt: Date.now(), changedAt };
}

function isPadLine(line: unknown): line is PadLine {
  const { isbn, title, written, quantity, readings, ...rest } = (line ?? {}) as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === "string";
  return (
    [isbn, title, written].every(isText) &&
    typeof rest.line === "number" &&
    (quantity === null || typeof quantity === "number") &&
    Array.isArray(readings) &&
    readings.every((reading) => isText(reading?.title) && typeof reading.quantity === "number") &&
    (rest.typed === undefined || isText(rest.typed)) &&
    [rest.bookId, rest.refusal].every((value) => value === null || isText(value))
  );
}
