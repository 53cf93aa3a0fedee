import { isStillKept, officeTabPrefix } from "#app/features/session/office-tab.ts";
import { createStoredItem, removeKeys, withStorage } from "#app/lib/browser/storage.ts";
import { createStore } from "#app/lib/react/create-store.ts";

/** A field as it was before someone typed into it, and as they left it. */
type Edit = { from: unknown; to: unknown };
export type Edits = Readonly<Record<string, Edit>>;

/** What someone has typed into a form and not saved yet: the fields that they changed, or all of what adds something. */
export type KeptText = {
  /** When it last changed, in milliseconds. */
  at: number;
  /** The path and query of the page that has the form. */
  page: string;
  /** The id under which it is sent, the same for every attempt: after a lost response it may be stored already. */
  attempt: string;
  /** The version of the record that was being changed, where the record has one. */
  version: string | number | null;
  edits: Edits;
};

/** The keys of the texts that were typed since their page was opened, each with its page. */
const typedHere = new Map<string, string>();

/** Called when a page is left: its texts are back when it is opened again. */
export function leavePage(page: string): void {
  for (const [key, of] of typedHere) if (of === page) typedHere.delete(key);
}

const ownPrefix = (userId: string) => `${officeTabPrefix(userId)}typed-`;

const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/**
 * The text that a person has typed into a form, in this tab: for a day, until they save or discard it, sign out, or
 * someone else signs in here.
 * @param form the form's name and its record
 */
export function keptText(userId: string, form: string) {
  const key = ownPrefix(userId) + form;
  const item = createStoredItem("tab", key);
  return {
    /** Null if there is none that can be used. */
    read(now: number): KeptText | null {
      const kept = item.read();
      return isKeptText(kept) && isStillKept(kept.at, now) ? kept : null;
    },
    /** @returns whether the browser has stored it */
    write(kept: KeptText): boolean {
      typedHere.set(key, kept.page);
      return (
        withStorage("tab", (storage) => {
          storage.setItem(key, JSON.stringify(kept));
          return true;
        }) ?? false
      );
    },
    /** Whether the page hasn't been left since it was typed: its form was only closed and opened again. */
    wasTypedHere: () => typedHere.has(key),
    remove: item.remove,
    /** Called while the form shows it; returns the function that ends that. */
    open(): () => void {
      openForms.set(new Set([...openForms.get(), key]));
      return () => openForms.set(new Set([...openForms.get()].filter((other) => other !== key)));
    },
  };
}

/** The texts whose forms are open. */
export const openForms = createStore<ReadonlySet<string>>(new Set());

/**
 * The newest of the texts that a person left on a page, by its path, and whose form is not open there; null if there is
 * none. What was typed since the page was opened is in a form that they have only closed.
 */
export function findClosedText(userId: string, path: string, now: number, open: ReadonlySet<string>) {
  const texts = withStorage("tab", (storage) =>
    Object.keys(storage)
      .filter((key) => key.startsWith(ownPrefix(userId)) && !open.has(key) && !typedHere.has(key))
      .map((key) => ({ key, kept: createStoredItem("tab", key).read() })),
  );
  const here = (texts ?? []).flatMap(({ key, kept }) =>
    isKeptText(kept) && isStillKept(kept.at, now) && kept.page.split("?")[0] === path
      ? [{ ...kept, key }]
      : [],
  );
  return here.sort((one, other) => other.at - one.at)[0] ?? null;
}

/** Deletes a text by its key. */
export const forgetText = (key: string) => removeKeys("tab", (other) => other === key);

/** The beginning of what was typed, for recognising it; empty if it has no words. */
export function beginningOf({ edits }: KeptText): string {
  const texts = Object.values(edits).flatMap(({ from, to }) => (isSameValue(from, to) ? [] : [to]));
  const words = texts.find((text) => typeof text === "string" && text.trim() !== "");
  return String(words ?? "")
    .trim()
    .replace(/\s+/g, " ")
    .slice(0, 60);
}

/** Deletes texts that nobody has come back to within a day. */
export function forgetOldTexts(userId: string, now: number): void {
  removeKeys("tab", (key) => {
    if (!key.startsWith(ownPrefix(userId))) return false;
    const kept = createStoredItem("tab", key).read();
    return !isKeptText(kept) || !isStillKept(kept.at, now);
  });
}

/**
 * The fields whose values differ from those that the form started with.
 * @param origins what restored fields were before they were typed, which is not always what the form started with
 * @param whole whether one such field brings all the others with it
 */
export function findEdits<Values extends object>(
  start: Values,
  values: Values,
  origins: Partial<Values>,
  whole: boolean,
): Edits {
  const names = Object.keys(start) as (keyof Values & string)[];
  const edited = names.filter((name) => !isSameValue(start[name], values[name]));
  return Object.fromEntries(
    (whole && edited.length > 0 ? names : edited).map((name) => [
      name,
      { from: name in origins ? origins[name] : start[name], to: values[name] },
    ]),
  );
}

/**
 * What to put back into a form.
 * @param start the record as it is now
 * @param mayHaveChanged whether someone else may have saved it since, in any of its fields
 * @returns `values` that differ from the record, what those fields were when they were typed (`origins`), and `conflicts`:
 * what someone else has saved in them since
 */
export function restoreText<Values extends object>(edits: Edits, start: Values, mayHaveChanged: boolean) {
  const known = Object.entries(edits).filter(
    ([name, { to }]) =>
      Object.hasOwn(start, name) &&
      typeof to === typeof start[name as keyof Values] &&
      !isSameValue(to, start[name as keyof Values]),
  );
  const pick = (read: (name: string, edit: Edit) => unknown, of = known) =>
    Object.fromEntries(of.map(([name, edit]) => [name, read(name, edit)])) as Partial<Values>;
  const changed = known.filter(
    ([name, { from }]) => mayHaveChanged && !isSameValue(from, start[name as keyof Values]),
  );
  return {
    values: pick((_, { to }) => to),
    origins: pick((_, { from }) => from),
    conflicts: pick((name) => start[name as keyof Values], changed),
  };
}

function isKeptText(value: unknown): value is KeptText {
  const { at, page, attempt, edits } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof at === "number" &&
    typeof page === "string" &&
    typeof attempt === "string" &&
    typeof edits === "object" &&
    edits !== null &&
    Object.values(edits).every((edit) => typeof edit === "object" && edit !== null && "to" in edit)
  );
}
