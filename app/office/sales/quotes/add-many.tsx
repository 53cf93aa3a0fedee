import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { MAX_CHILDREN, MAX_MATCHED_LINES } from "#app/features/booklists/booklist.ts";
import { findBooklist } from "#app/features/booklists/booklists.queries.ts";
import { parseBooklistCode } from "#app/features/booklists/typed-booklist-code.ts";
import { lookUp } from "#app/features/bulk-order/look-up.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { hasKept, useKeptForm } from "#app/office/frame/use-kept.ts";
import { countOf } from "#shared/text/count-of.ts";
import { namedLine, type QuotedBook, readPasted, sortPasted, writtenLine } from "./pasted-quote.ts";

type AddManyProps = {
  quoteId: string;
  added: ReadonlySet<string>;
  onAdd: (books: readonly QuotedBook[]) => void;
  /** Gets the pasted list as it stands in its box, with the lines that were not found. */
  onPasted: (list: string) => void;
};

const keptPaste = (quoteId: string) => `quote paste ${quoteId}`;
const keptBooklist = (quoteId: string) => `quote booklist ${quoteId}`;

/** What was added, and what was not, in sentences. */
type Outcome = { added: number; problems: string[] };

/** Adds the books of a pasted list or of a published booklist. Books that are already in the quote stay as they are. */
export function AddMany({ quoteId, added, onAdd, onPasted }: AddManyProps) {
  const [isOpen, setIsOpen] = useState<"paste" | "booklist" | null>(() =>
    hasKept(keptPaste(quoteId)) ? "paste" : hasKept(keptBooklist(quoteId)) ? "booklist" : null,
  );
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  function add(books: readonly QuotedBook[], problems: readonly string[]) {
    const fresh = books.filter(({ book }) => !added.has(book.id));
    const there = books.filter(({ book }) => added.has(book.id));
    onAdd(fresh);
    setOutcome({
      added: fresh.length,
      problems: [...problems, ...there.map(({ book }) => `${book.title}: already in the quote.`)],
    });
  }
  const toggle = (form: "paste" | "booklist") => {
    setOutcome(null);
    setIsOpen(isOpen === form ? null : form);
  };
  return (
    <div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" aria-expanded={isOpen === "paste"} onClick={() => toggle("paste")}>
          Paste a List
        </Button>
        <Button variant="secondary" aria-expanded={isOpen === "booklist"} onClick={() => toggle("booklist")}>
          Add a Booklist
        </Button>
      </div>
      {isOpen === "paste" && <PasteForm quoteId={quoteId} onFound={add} onPasted={onPasted} />}
      {isOpen === "booklist" && <BooklistForm quoteId={quoteId} onFound={add} />}
      <div role="status">
        {outcome && (
          <div className="mt-3 max-w-2xl">
            <Callout tone={outcome.problems.length > 0 ? "warning" : undefined}>
              <p>{countOf(outcome.added, "title")} added.</p>
              <ul className="list-disc pl-5">
                {outcome.problems.map((problem) => (
                  <li key={problem} className="wrap-anywhere">
                    {problem}
                  </li>
                ))}
              </ul>
            </Callout>
          </div>
        )}
      </div>
    </div>
  );
}

type FormProps = {
  quoteId: string;
  onFound: (books: readonly QuotedBook[], problems: readonly string[]) => void;
};
const look = "mt-3 flex max-w-2xl flex-col items-start gap-3 rounded-card border border-line p-4";

function PasteForm({ quoteId, onFound, onPasted }: FormProps & Pick<AddManyProps, "onPasted">) {
  const match = useAdminMutation({
    run: async (_, text: string) => {
      const lines = readPasted(text);
      return sortPasted(lines, await lookUp(lines));
    },
    success: () => null,
    failure: "Failed to match the lines",
    failureWithReason: true,
    onSuccess({ found, left }) {
      onFound(
        found,
        left.map((one) => `${namedLine(one)}: ${one.problem}`),
      );
      // What is left can be mended and sent again.
      change("list", left.map(writtenLine).join("\n"));
    },
  });
  const { values, change, field, formProps, kept } = useKeptForm({
    kept: keptPaste(quoteId),
    fields: { list: "" },
    rules: ({ list }) => {
      const lines = readPasted(list).length;
      if (lines > MAX_MATCHED_LINES) return { list: `Paste up to ${MAX_MATCHED_LINES} lines at a time.` };
      return { list: lines === 0 ? "Paste at least one line" : null };
    },
    send: ({ list }) => match.mutate(list),
  });
  useEffect(() => onPasted(values.list), [onPasted, values.list]);
  return (
    <form {...formProps} className={look}>
      <KeptNote kept={kept} className="w-full" />
      <TextareaField
        className="w-full"
        label="ISBNs or titles with quantities, one on each line"
        hint="Copy both columns from a spreadsheet, or write '9781108615310, 30'."
        rows={6}
        spellCheck={false}
        {...field("list")}
        value={values.list}
      />
      <Button type="submit" busy={match.isPending}>
        Add Lines
      </Button>
    </form>
  );
}

function BooklistForm({ quoteId, onFound }: FormProps) {
  const read = useAdminMutation({
    run: async (client, { code, pupils }: { code: string; pupils: number }) => ({
      list: await findBooklist(client, code),
      pupils,
    }),
    success: () => null,
    failure: "Failed to read the booklist",
    failureWithReason: true,
    onSuccess({ list, pupils }) {
      if (!list) return onFound([], ["No published booklist has this code."]);
      kept.forget();
      const books = list.lines.flatMap((line) =>
        line.book ? [{ book: line.book, quantity: line.copies * pupils }] : [],
      );
      onFound(
        books,
        list.lines.flatMap(({ book, title }) => (book ? [] : [`${title}: the shop doesn't sell it.`])),
      );
    },
  });
  const { field, formProps, kept } = useKeptForm({
    kept: keptBooklist(quoteId),
    fields: { code: "", pupils: "" },
    rules: ({ code, pupils }) => ({
      code: parseBooklistCode(codeIn(code)) ? null : "Enter the code of a booklist, such as K7PXM-3Q9TB",
      pupils: isPupils(pupils) ? null : `Enter a number from 1 to ${MAX_CHILDREN}`,
    }),
    send: ({ code, pupils }) => read.mutate({ code: codeIn(code), pupils: Number(pupils) }),
  });
  return (
    <form {...formProps} className={look}>
      <KeptNote kept={kept} className="w-full" />
      <InputField
        className="w-full"
        label="Booklist's code or address"
        autoComplete="off"
        spellCheck={false}
        {...field("code")}
      />
      <InputField label="Pupils" inputMode="numeric" autoComplete="off" {...field("pupils")} />
      <Button type="submit" busy={read.isPending}>
        Add Books
      </Button>
    </form>
  );
}

/** The last part of an address. */
const codeIn = (typed: string) => typed.trim().split("/").at(-1) ?? "";

const isPupils = (text: string) =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_CHILDREN;
