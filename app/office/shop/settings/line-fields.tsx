import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { MoveButton } from "#app/office/components/move-button.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { type Line, type Problems, withLine, withLineMoved } from "./setting-lines.ts";

/** What SettingsForm gives to a setting that is edited as lines. */
export type LinesProps<Cells> = {
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | null | undefined;
  lines: readonly Line<Cells>[];
  onChange: (lines: readonly Line<Cells>[]) => void;
};

type RowProps<Cells> = {
  line: Line<Cells>;
  change: (cells: Partial<Cells>) => void;
  /** For each cell's control: the error to show, and the name by which a refusal moves the focus there. */
  cell: (cell: keyof Cells) => { name: string | undefined; error: string | undefined };
};

type LineFieldsProps<Cells> = LinesProps<Cells> & {
  /** What a line is, as in 'Add a fee'. */
  noun: string;
  blank: Cells;
  problemsOf: (cells: Cells) => Problems<Cells>;
  row: (props: RowProps<Cells>) => ReactNode;
  /** What customers see of these lines. */
  preview: ReactNode;
};

/** A list of lines with fields, in the order that counts. A line's errors are shown until that line is changed. */
export function LineFields<Cells>({
  name,
  label,
  hint,
  error,
  lines,
  onChange,
  noun,
  blank,
  problemsOf,
  row,
  preview,
}: LineFieldsProps<Cells>) {
  const noteId = useId();
  const [refused, setRefused] = useState<readonly Line<Cells>[]>([]);
  if (error && refused !== lines) setRefused(lines);
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  // The line that was added, or the one that has taken a removed one's place.
  const focusAt = useRef<number | null>(null);
  useEffect(() => {
    if (focusAt.current === null) return;
    const line = list.current?.children[Math.min(focusAt.current, lines.length - 1)];
    (line?.querySelector<HTMLElement>("summary, input") ?? add.current)?.focus();
    focusAt.current = null;
  }, [lines]);

  const firstWrong = lines.findIndex((line) => Object.keys(problemsOf(line)).length > 0);
  const shown = (line: Line<Cells>): Problems<Cells> => (refused.includes(line) ? problemsOf(line) : {});
  const note = error && firstWrong < 0 ? error : hint;
  const title = noun.charAt(0).toUpperCase() + noun.slice(1);

  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="text-15 font-semibold">{label}</legend>
      <p id={noteId} className={`mt-1 text-15 ${note === error ? "text-clay" : "text-muted"}`}>
        {note}
      </p>
      <ol ref={list} className="mt-2 border-b border-line empty:border-0">
        {lines.map((line, at) => {
          const place = at + 1;
          const firstCell = at === firstWrong ? Object.keys(problemsOf(line))[0] : undefined;
          return (
            <li key={line.key}>
              <fieldset className="min-w-0 border-t border-line py-3">
                <legend className="sr-only">
                  {title} {place}
                </legend>
                {row({
                  line,
                  change: (cells) =>
                    onChange(lines.map((each) => (each === line ? { ...each, ...cells } : each))),
                  cell: (cell) => ({
                    name: cell === firstCell ? name : undefined,
                    error: shown(line)[cell],
                  }),
                })}
                <div className="-ml-3 flex items-center">
                  <MoveButton
                    label={`Move ${noun} ${place} up`}
                    icon="chevron-up"
                    isEnd={at === 0}
                    onMove={() => onChange(withLineMoved(lines, at, -1))}
                  />
                  <MoveButton
                    label={`Move ${noun} ${place} down`}
                    icon="chevron-down"
                    isEnd={place === lines.length}
                    onMove={() => onChange(withLineMoved(lines, at, 1))}
                  />
                  <IconAction
                    icon="trash"
                    label={`Remove ${noun} ${place}`}
                    onClick={() => {
                      focusAt.current = at;
                      onChange(lines.filter((each) => each !== line));
                    }}
                  />
                </div>
              </fieldset>
            </li>
          );
        })}
      </ol>
      <Button
        ref={add}
        variant="secondary"
        className="mt-3"
        name={firstWrong < 0 ? name : undefined}
        onClick={() => {
          focusAt.current = lines.length;
          onChange(withLine(lines, blank));
        }}
      >
        Add a {noun}
      </Button>
      <p role="status" className="sr-only">
        {countOf(lines.length, "line")}
      </p>
      <Preview of={label}>
        {firstWrong < 0 ? preview : <p className="text-muted">Complete every line to see the preview.</p>}
      </Preview>
    </fieldset>
  );
}

/** What customers see once a setting is saved. */
export function Preview({ of, children }: { of: string; children: ReactNode }) {
  return (
    <section
      aria-label={`${of}, as customers see them`}
      className="mt-4 rounded-card bg-tint p-3 text-15 sm:p-4"
    >
      <p className="mb-2 font-semibold">What customers see</p>
      {children}
    </section>
  );
}
