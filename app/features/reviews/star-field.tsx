import { useId } from "react";

const STARS = [1, 2, 3, 4, 5];

type StarFieldProps = {
  legend: string;
  /** 1 to 5; 0 before one is chosen. */
  value: number;
  error: string | null;
  onChange: (rating: number) => void;
};

/** Five stars to choose from: radio buttons, so that arrow keys move between them. */
export function StarField({ legend, value, error, onChange }: StarFieldProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined}>
      <legend className="mb-1.5 text-15 font-semibold">{legend}</legend>
      <div className="-ml-2 flex items-center">
        {STARS.map((stars) => (
          <label
            key={stars}
            className="grid size-11 cursor-pointer place-items-center rounded-control hover:bg-tint has-focus-visible:outline-2 has-focus-visible:outline-green"
          >
            <input
              type="radio"
              name="rating"
              value={stars}
              checked={value === stars}
              onChange={() => onChange(stars)}
              className="sr-only"
            />
            <svg
              viewBox="0 0 20 20"
              width="30"
              height="30"
              aria-hidden="true"
              className={stars <= value ? "text-gold" : "text-line-strong"}
            >
              <use href="#star" />
            </svg>
            <span className="sr-only">{stars === 1 ? "1 star" : `${stars} stars`}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={id} className="mt-1.5 text-15 text-clay">
          {error}
        </p>
      )}
    </fieldset>
  );
}
