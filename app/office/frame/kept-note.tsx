import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import { formatMinute, sortableMinute } from "#shared/text/dates.ts";
import type { Kept } from "./use-kept.ts";

/** '10:42' for a text of today, or with its day. */
export function timeOf(at: number): string {
  const [day, time] = sortableMinute(new Date(at)).split(" ");
  const [today] = sortableMinute(new Date()).split(" ");
  return day === today && time ? time : formatMinute(new Date(at).toISOString());
}

type KeptNoteBoxProps = {
  tone?: "calm" | "warning";
  action: ReactNode;
  className: string;
  children: ReactNode;
};

export function KeptNoteBox({ tone = "calm", action, className, children }: KeptNoteBoxProps) {
  const look = tone === "calm" ? "border-sky bg-sky-tint" : "border-gold bg-gold-tint";
  return (
    <div
      role="status"
      className={`flex items-center justify-between gap-2 rounded-r-control border-l-4 py-1 pr-2 pl-4 ${look} ${className}`}
    >
      <p className="min-w-0 py-1.5 wrap-anywhere">{children}</p>
      <div className="shrink-0 whitespace-nowrap">{action}</div>
    </div>
  );
}

type KeptNoteProps = { kept: Kept; className?: string };

/** Says that what was typed is back, and discards it on request; or that an earlier attempt is stored already. */
export function KeptNote({ kept, className = "mb-4" }: KeptNoteProps) {
  const { backFrom, hasConflict, isRecorded, allowAnother, discard } = kept;
  if (isRecorded)
    return (
      <KeptNoteBox
        tone="warning"
        className={className}
        action={
          <Button variant="quiet" size="small" onClick={allowAnother}>
            Allow Another
          </Button>
        }
      >
        This was already saved, before your last changes. Check that before you send this too.
      </KeptNoteBox>
    );
  if (backFrom === null) return null;
  return (
    <KeptNoteBox
      tone={hasConflict ? "warning" : "calm"}
      className={className}
      action={
        <Button variant="quiet" size="small" onClick={discard}>
          Discard
        </Button>
      }
    >
      Your text of <span className="figures">{timeOf(backFrom)}</span> is back.
      {hasConflict &&
        " Someone else has saved a change since. Saving yours replaces it; Discard shows theirs."}
    </KeptNoteBox>
  );
}
