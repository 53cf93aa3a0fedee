import { type ReactNode, useState } from "react";

type AttentionNoticeProps = {
  /** Names the region. */
  label: string;
  words: string;
  /** It can wait. */
  isCalm?: boolean;
  /** The page to go to; otherwise a button shows `children`. */
  link?: ReactNode;
  /** A button beside the one that opens it. */
  action?: ReactNode;
  children?: ReactNode;
};

/** What needs staff's attention. One line until it is opened, so that the page's own lists stay on the first screen. */
export function AttentionNotice({
  label,
  words,
  isCalm = false,
  link,
  action,
  children,
}: AttentionNoticeProps) {
  const [open, setOpen] = useState(false);
  return (
    <section
      aria-label={label}
      className={`mb-3 rounded-card border px-4 print:hidden ${isCalm ? "border-line bg-surface" : "border-clay bg-clay-tint"}`}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-4">
        <p className="grow basis-40 py-2 font-semibold">{words}</p>
        {action}
        {link ?? (
          <button
            type="button"
            className="min-h-11 shrink-0 font-semibold text-green underline"
            aria-expanded={open}
            aria-label={`${open ? "Hide" : "Show"}: ${words}`}
            onClick={() => setOpen(!open)}
          >
            {open ? "Hide" : "Show"}
          </button>
        )}
      </div>
      {open && <div className="border-t border-line pb-2">{children}</div>}
    </section>
  );
}
