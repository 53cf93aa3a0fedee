import { type ReactNode, useEffect, useRef } from "react";

type Tone = "information" | "success" | "warning";

const tones: Record<Tone, string> = {
  information: "border-sky bg-sky-tint",
  success: "border-green bg-tint",
  warning: "border-gold bg-gold-tint",
};

type CalloutProps = {
  tone?: Tone;
  /** Comes into sight by itself: for an answer to a press further down the page. */
  scrollsIntoView?: boolean;
  children: ReactNode;
};

/** Something to know that stays on the page, unlike a toast. It is read out when it appears. */
export function Callout({ tone = "information", scrollsIntoView = false, children }: CalloutProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scrollsIntoView) box.current?.scrollIntoView({ block: "nearest" });
  }, [scrollsIntoView]);
  return (
    <div
      ref={box}
      role="status"
      className={`rounded-r-control border-l-4 px-4 py-3 text-15 text-ink ${tones[tone]}`}
    >
      {children}
    </div>
  );
}
