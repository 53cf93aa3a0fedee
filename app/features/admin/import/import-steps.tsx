import { useEffect, useRef } from "react";

const STEPS = ["File", "Columns", "Check", "Result"] as const;

export type ImportStep = (typeof STEPS)[number];

/** Where one is on the way of an import. */
export function ImportSteps({ current }: { current: ImportStep }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The button that led to this step is gone, and the focus with it.
    if (current !== "File" && document.activeElement === document.body) list.current?.focus();
  }, [current]);
  return (
    <ol
      ref={list}
      tabIndex={-1}
      aria-label="Steps"
      className="mb-5 flex flex-wrap gap-x-4 gap-y-1 text-muted focus:outline-none"
    >
      {STEPS.map((step, place) => (
        <li
          key={step}
          aria-current={step === current ? "step" : undefined}
          className={step === current ? "border-b-2 border-green font-semibold text-green" : ""}
        >
          {place + 1}. {step}
        </li>
      ))}
    </ol>
  );
}
