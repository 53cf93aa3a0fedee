import { type FormEvent, useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import { Fact } from "#app/components/fact.tsx";
import { InputField } from "#app/components/field.tsx";
import { countOf } from "#shared/text/count-of.ts";
import type { CountLine } from "./count.admin-queries.ts";
import { LineNotes } from "./line-notes.tsx";
import { readCopies, signedCopies } from "./typed-scan.ts";

type ScannedLineProps = {
  line: CountLine;
  sending: boolean;
  onCopies: (copies: number) => void;
  /** A barcode scanner typed a code into the field for copies. */
  onCode: (code: string) => void;
};

/** The book that was scanned last, and how many copies of it this person has counted. */
export function ScannedLine({ line, sending, onCopies, onCode }: ScannedLineProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const others = (line.counted ?? 0) - (line.own ?? 0);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const copies = readCopies(typed ?? "");
    if (copies !== null) onCopies(copies);
    else if (typed?.trim()) onCode(typed.trim());
    setTyped(null);
  }

  return (
    <div className="mt-4 border-t border-line pt-4" aria-busy={sending || undefined}>
      <div role="status">
        <h2 className="text-20 wrap-anywhere">{line.title}</h2>
        <p className="figures text-muted">
          {[line.shelf && `Shelf ${line.shelf}`, line.isbn].filter(Boolean).join(", ")}
        </p>
        <p className="flex flex-wrap gap-2 empty:hidden">
          <LineNotes line={line} />
          {line.counted === null && <Badge variant="outline">Not counted yet</Badge>}
        </p>
        {line.counted !== null && (
          <dl className="figures mt-3 flex flex-wrap gap-x-8 gap-y-2">
            <Fact name="Counted" className="text-25 font-semibold">
              {line.counted.toLocaleString("en-GB")}
            </Fact>
            <Fact name="Expected" className="text-25 font-semibold">
              {line.expected?.toLocaleString("en-GB")}
            </Fact>
            <Fact name="Difference" className="text-25 font-semibold">
              {signedCopies(line.difference ?? 0)}
            </Fact>
          </dl>
        )}
      </div>
      <form onSubmit={onSubmit} noValidate className="mt-3 flex flex-wrap items-end gap-3">
        <InputField
          label="Copies that you have counted"
          className="w-64"
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(line.own ?? "")}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <Button type="submit" variant="secondary">
          Set
        </Button>
        {others > 0 && (
          <p className="figures pb-2.5 text-muted">
            {countOf(others, "copy was", "copies were")} counted by others.
          </p>
        )}
      </form>
    </div>
  );
}
