import { useDeferredValue, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { InputField } from "#app/components/field.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { listSpellings, mergeSpellings, type PublisherRow } from "./publisher.admin-queries.ts";

type MergeDialogProps = { publisher: PublisherRow; onClose: () => void };

const total = (changes: readonly { books: number }[]) => changes.reduce((sum, { books }) => sum + books, 0);

/** Gives the books with other spellings of a publisher its name: choose spellings, check what changes, then apply it. */
export function MergeDialog({ publisher, onClose }: MergeDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [plan, setPlan] = useState<{ spelling: string; books: number }[] | null>(null);
  const check = useAdminMutation({
    run: (client, spellings: string[]) => mergeSpellings(client, publisher.id, spellings, { dryRun: true }),
    success: () => null,
    failure: "Failed to check the spellings",
    onSuccess: setPlan,
  });
  const merge = useAdminMutation({
    run: (client, spellings: string[]) => mergeSpellings(client, publisher.id, spellings, { dryRun: false }),
    success: (changes) => ({ title: `${countOf(total(changes), "book")} renamed to ${publisher.name}` }),
    failure: "Failed to merge the spellings",
    onSuccess: onClose,
    long: true,
  });

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Merge spellings into ${publisher.name}`}
      description={plan ? "Check what changes." : "Choose names in your books that mean this publisher."}
      footer={
        plan ? (
          <>
            <Button variant="secondary" onClick={() => setPlan(null)}>
              Back
            </Button>
            <Button
              busy={merge.isPending}
              disabled={plan.length === 0}
              onClick={() => merge.mutate([...chosen])}
            >
              Rename {countOf(total(plan), "book")}
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              busy={check.isPending}
              disabled={chosen.length === 0}
              onClick={() => check.mutate([...chosen])}
            >
              Check
            </Button>
          </>
        )
      }
    >
      {plan ? (
        <Plan name={publisher.name} changes={plan} />
      ) : (
        <Spellings publisher={publisher} chosen={chosen} onChange={setChosen} />
      )}
    </Dialog>
  );
}

type SpellingsProps = {
  publisher: PublisherRow;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/** Those that look like a name that the publisher has, or had, come first. */
function Spellings({ publisher, chosen, onChange }: SpellingsProps) {
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const spellings = useAdminQuery(
    ["publishers", "spellings", publisher.id, q],
    (client) => listSpellings(client, publisher.id, q),
    { keepPrevious: true },
  );
  const failure = readFailure("spellings", spellings);
  return (
    <>
      <InputField
        label="Find a name"
        type="search"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {failure && <RetryNote {...failure} />}
      {spellings.isPending && <Skeleton className="mt-4 h-32" />}
      {spellings.data?.length === 0 && (
        <p className="mt-4 text-muted">No other names in your books belong to no publisher.</p>
      )}
      <ul aria-label="Names in books" className="mt-3 border-t border-line">
        {spellings.data?.map(({ spelling, books, is_close }) => (
          <li key={spelling} className="border-b border-line">
            <label className="flex min-h-11 items-center gap-3 py-1.5">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-green"
                checked={chosen.includes(spelling)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, spelling] : chosen.filter((one) => one !== spelling))
                }
              />
              <span className="min-w-0 grow wrap-anywhere">
                <bdi className={is_close ? "font-semibold" : undefined}>{spelling}</bdi>
                {is_close && <span className="block text-13 text-muted">Looks like this publisher</span>}
              </span>
              <span className="figures shrink-0 text-muted">{countOf(books, "book")}</span>
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

function Plan({ name, changes }: { name: string; changes: { spelling: string; books: number }[] }) {
  if (changes.length === 0) return <p>No books have these spellings any more.</p>;
  return (
    <>
      <ul aria-label="Changes" className="border-t border-line">
        {changes.map(({ spelling, books }) => (
          <li key={spelling} className="flex justify-between gap-3 border-b border-line py-2">
            <span className="min-w-0 wrap-anywhere">
              <bdi>{spelling}</bdi> → <strong className="font-semibold">{name}</strong>
            </span>
            <span className="figures shrink-0">{countOf(books, "book")}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-muted">
        All of them change in one step. It can't be undone from Activity, which only keeps these numbers:
        afterwards the books all have one name.
      </p>
    </>
  );
}
