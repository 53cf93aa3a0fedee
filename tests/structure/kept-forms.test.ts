import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Forms and text areas of staff whose text is not kept, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "app/office/catalogue/books/book-form-fields.tsx": "its form is kept in use-book-form.ts",
  "app/office/catalogue/books/digital/code-box.tsx": "codes are worth money, and do not stay in a browser",
  "app/office/catalogue/import/column-step.tsx": "for an opened file, which is closed with the page",
  "app/office/frame/use-kept.ts": "it makes the form that keeps",
  "app/office/sales/payments/statement/statement-source.tsx":
    "pasted from a statement, with many people's payments",
  "app/office/sales/quotes/discount-field.tsx": "one number, applied at once to lines that are kept",
  "app/office/schools/booklists/booklist-fields.tsx": "its form is kept in use-booklist-editor.ts",
  "app/office/stock/purchases/new-purchase.tsx": "a choice, without text",
  "app/office/stock/receiving/receive-form.tsx": "keeps its count for two weeks, in receipt-draft.ts",
};

const hasForm = (source: string) =>
  /\buseForm\b(?!<Drafts>>)|<TextareaField|<textarea/.test(source.replace(/^import type .*$/gm, ""));
const keeps = (source: string) => /\buseKept(?:Form)?\(|\buseKeptForm<|<KeptNote|kept=\{/.test(source);

const sources = globSync("app/office/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));

const withoutKeeping = sources
  .filter(({ source }) => hasForm(source) && (!keeps(source) || /\buseForm[(<]/.test(source)))
  .map(({ file }) => file);

describe("a form of the back office", () => {
  it("keeps what is typed, or is listed here with the reason", () => {
    expect(withoutKeeping.filter((file) => !(file in exceptions))).toEqual([]);
  });

  it("that is listed here still needs it", () => {
    expect(Object.keys(exceptions).filter((file) => !withoutKeeping.includes(file))).toEqual([]);
  });

  it.each([
    'import { useForm } from "#app/components/use-form.ts";\nconst { field } = useForm({ fields });',
    "const form = useForm<Typed>({ fields });",
    "<TextareaField label='Note' />",
  ])("is found: %s", (source) => {
    expect(hasForm(source)).toBe(true);
    expect(keeps(source)).toBe(false);
  });

  it("that sends the same id again stops when the server says that it is stored with other values", () => {
    // A save under the id of a stored row is refused by the row's version.
    const silent = sources.filter(
      ({ source }) => /\bid: attempt|Id: attempt/.test(source) && !/\bkept\.onRefused\(error\)/.test(source),
    );
    expect(silent.map(({ file }) => file)).toEqual([]);
  });

  it("in a dialog is in the one that asks before it closes", () => {
    const dialogs = sources.filter(
      ({ source }) => /useKeptForm|useKept\(/.test(source) && /import \{ Dialog \}/.test(source),
    );
    expect(dialogs.map(({ file }) => file)).toEqual([]);
  });
});
