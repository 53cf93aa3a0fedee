import { OfficeIcon } from "#app/office/components/office-icon.tsx";

const STARS = [1, 2, 3, 4, 5];

/** Five stars and 'n/5'. */
export function ReviewStars({ rating }: { rating: number }) {
  return (
    <span className="figures inline-flex items-center gap-2">
      <span className="inline-flex" aria-hidden="true">
        {STARS.map((star) => (
          <OfficeIcon
            key={star}
            name={star <= rating ? "star-filled" : "star"}
            size={16}
            className={star <= rating ? "text-gold" : "text-line-strong"}
          />
        ))}
      </span>
      {rating}/5
    </span>
  );
}
