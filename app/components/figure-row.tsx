/** A row of figures under a rule: each a number in the display font above what it counts. */
export function FigureRow({ figures }: { figures: readonly { figure: string; unit: string }[] }) {
  return (
    <dl className="grid grid-cols-3 border-y border-line">
      {figures.map(({ figure, unit }) => (
        <div
          key={unit}
          className="flex flex-col-reverse justify-end border-l border-line px-3 py-6 first:border-l-0 first:pl-0 sm:px-8"
        >
          <dt className="text-13 text-muted sm:text-17">{unit}</dt>
          <dd className="figures font-display text-25 font-bold text-green sm:text-42">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
