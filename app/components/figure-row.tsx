type FigureRowProps = {
  /** What the figures are about, for screen readers. */
  label: string;
  /** The spacing around the row, which takes no space without figures. */
  className: string;
  figures: readonly { figure: string; unit: string }[];
};

/** A row of figures under a rule: each a number in the display font above what it counts. Empty ones are left out. */
export function FigureRow({ label, className, figures }: FigureRowProps) {
  const shown = figures.filter(({ figure }) => figure);
  if (shown.length === 0) return null;
  return (
    <section aria-label={label} className={className}>
      <dl className="grid auto-cols-fr grid-flow-col border-y border-line">
        {shown.map(({ figure, unit }) => (
          <div
            key={unit}
            className="flex flex-col-reverse justify-end border-l border-line px-3 py-6 first:border-l-0 first:pl-0 sm:px-8"
          >
            <dt className="text-13 text-muted sm:text-17">{unit}</dt>
            <dd className="figures font-display text-25 font-bold text-green sm:text-42">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
