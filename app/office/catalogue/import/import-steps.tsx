const STEPS = ["File", "Columns", "Check", "Result"] as const;

/** The button that led to this step is gone, and the focus with it. */
function catchFocus(steps: HTMLElement | null): void {
  if (document.activeElement === document.body) steps?.focus();
}

type ImportStepsProps<Step extends string> = { current: NoInfer<Step>; steps?: readonly Step[] };

/** Where one is on the way of an import. */
export function ImportSteps<Step extends string = (typeof STEPS)[number]>({
  current,
  steps = STEPS as readonly string[] as readonly Step[],
}: ImportStepsProps<Step>) {
  return (
    <ol
      // A new list for each step, so that the focus is looked at again.
      key={current}
      ref={current === steps[0] ? undefined : catchFocus}
      tabIndex={-1}
      aria-label="Steps"
      className="mb-5 flex flex-wrap gap-x-4 gap-y-1 text-muted focus:outline-none"
    >
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={step === current ? "step" : undefined}
          className={step === current ? "border-b-2 border-green font-semibold text-green" : ""}
        >
          {index + 1}. {step}
        </li>
      ))}
    </ol>
  );
}
