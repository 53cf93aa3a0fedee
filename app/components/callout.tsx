import type { ReactNode } from "react";

type Tone = "information" | "success" | "warning";

const tones: Record<Tone, string> = {
  information: "border-sky bg-sky-tint",
  success: "border-green bg-tint",
  warning: "border-gold bg-gold-tint",
};

type CalloutProps = {
  tone?: Tone;
  /** Scrolls into view when it appears: for the result of a click further down the page. */
  scrollsIntoView?: boolean;
  children: ReactNode;
};

function scrollIntoView(box: HTMLElement | null): void {
  box?.scrollIntoView({ block: "nearest" });
}

/** A message that stays on the page, unlike a toast. Screen readers read it out when it appears. */
export function Callout({ tone = "information", scrollsIntoView = false, children }: CalloutProps) {
  return (
    <div
      ref={scrollsIntoView ? scrollIntoView : undefined}
      role="status"
      className={`rounded-r-control border-l-4 px-4 py-3 text-15 text-ink ${tones[tone]}`}
    >
      {children}
    </div>
  );
}
