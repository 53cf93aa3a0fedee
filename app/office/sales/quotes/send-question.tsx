import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { countOf } from "#shared/text/count-of.ts";

/** How many of the lines, and of the titles, are named. */
const MAX_NAMED = 5;

type SendQuestionProps = {
  open: boolean;
  /** The pasted lines that haven't been added. */
  left: readonly string[];
  /** What titles lack in stock. */
  short: readonly string[];
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a quote is sent without lines that were pasted for it, or with titles that are short. */
export function SendQuestion({ left, short, ...dialog }: SendQuestionProps) {
  const isShort = short.length > 0;
  if (left.length === 0)
    return (
      <ConfirmDialog
        question={`Send it although ${countOf(short.length, "title is", "titles are")} short?`}
        confirmLabel="Send Anyway"
        variant="primary"
        {...dialog}
      >
        <Shortages short={short} />
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      question={`${countOf(left.length, "pasted line is", "pasted lines are")} not in this quote`}
      confirmLabel={left.length === 1 ? "Send Without It" : "Send Without Them"}
      cancelLabel="Go Back"
      variant="primary"
      {...dialog}
    >
      <Named names={left} other="other line" />
      <p className="mt-2">What you pasted stays in its box until you add or delete it.</p>
      {isShort && (
        <div className="mt-4">
          <Shortages short={short} />
        </div>
      )}
    </ConfirmDialog>
  );
}

function Shortages({ short }: { short: readonly string[] }) {
  return (
    <>
      <p>The customer can accept the quote only once all its copies are in stock:</p>
      <Named names={short} other="other title" />
    </>
  );
}

function Named({ names, other }: { names: readonly string[]; other: string }) {
  const rest = names.length - MAX_NAMED;
  return (
    <ul className="mt-1 list-disc pl-5">
      {names.slice(0, MAX_NAMED).map((name) => (
        <li key={name} className="wrap-anywhere">
          {name}
        </li>
      ))}
      {rest > 0 && <li>and {countOf(rest, other)}</li>}
    </ul>
  );
}
