import { type ReactNode, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure } from "#app/office/frame/admin-data.ts";
import { forgetKept } from "#app/office/frame/use-kept.ts";

type Versioned = { id: string; version: number };

type LatestVersionProps<Row> = {
  noun: string;
  found: { data: Row | null | undefined; error: Error | null; refetch: () => unknown };
  /** The name under which the form keeps its text, if showing the latest version discards it. */
  keptAs?: (row: Row) => string;
  /** The form. It resets with each new version, and calls `onSaved` with the version that it saved. */
  children: (row: Row, onSaved: (version: number) => void) => ReactNode;
};

/** A form for a row that others may change in the meantime: only the user's own save or choice refreshes it. */
export function LatestVersion<Row extends Versioned>({
  noun,
  found,
  keptAs,
  children,
}: LatestVersionProps<Row>) {
  // Someone else's save must not replace the user's input.
  const [base, setBase] = useState<Row | null>(null);
  const [saved, setSaved] = useState(0);
  const newest = found.data ?? null;
  if (newest && (!base || (saved > base.version && newest.version >= saved))) setBase(newest);

  const failure = readFailure(noun, found);
  if (!base)
    return (
      <>
        {failure && <RetryNote {...failure} />}
        {found.data === null && <p role="alert">This {noun} does not exist.</p>}
        {found.data === undefined && !failure && <Skeleton className="h-96" />}
      </>
    );
  const isStale = newest !== null && newest.version !== base.version && saved <= base.version;
  return (
    <>
      {isStale && (
        <div className="mb-4">
          <Callout tone="warning">
            This {noun} has since been changed.{" "}
            <Button
              variant="secondary"
              size="small"
              onClick={() => {
                if (keptAs) forgetKept(keptAs(newest));
                setBase(newest);
              }}
            >
              Show the Latest Version
            </Button>
          </Callout>
        </div>
      )}
      {children(base, setSaved)}
    </>
  );
}
