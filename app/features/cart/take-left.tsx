/** The way out of a line that wants more copies than are left. */
export const wayOut =
  "inline-flex min-h-11 items-center font-semibold text-green underline hover:text-green-deep";

type TakeLeftProps = { left: number; title: string; onTake: (quantity: number) => void };

/** Lowers a line to the copies that are left. Nothing where none is. */
export function TakeLeft({ left, title, onTake }: TakeLeftProps) {
  if (left <= 0) return null;
  return (
    <button type="button" className={wayOut} onClick={() => onTake(left)}>
      Take {left}
      <span className="sr-only"> of {title}</span>
    </button>
  );
}
