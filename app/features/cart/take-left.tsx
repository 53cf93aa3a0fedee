/** The classes of a small text button or link on a cart line. */
export const smallAction =
  "inline-flex min-h-11 items-center font-semibold text-green underline hover:text-green-deep";

type TakeLeftProps = { left: number; title: string; onTake: (quantity: number) => void };

/** Lowers a line to the copies left. Renders nothing when none are. */
export function TakeLeft({ left, title, onTake }: TakeLeftProps) {
  if (left <= 0) return null;
  return (
    <button type="button" className={smallAction} onClick={() => onTake(left)}>
      Take {left}
      <span className="sr-only"> of {title}</span>
    </button>
  );
}
