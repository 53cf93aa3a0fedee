const STARS = [1, 2, 3, 4, 5];

/** Five stars filled to the nearest half. `rating` is 0 to 5; the text beside them has the exact figure. */
export function StarRating({ rating, reviewCount }: { rating: number; reviewCount?: number | null }) {
  const halves = Math.round(rating * 2) / 2;
  return (
    <span className="figures inline-flex items-center gap-1.5 text-13 text-muted">
      <span className="relative inline-block" aria-hidden="true">
        <StarRow className="text-line-strong/50" />
        <span className="absolute inset-y-0 left-0 overflow-hidden" style={{ width: `${halves * 20}%` }}>
          <StarRow className="text-gold" />
        </span>
      </span>
      <span>
        <span className="sr-only">Rated </span>
        {rating.toFixed(1)}
        <span className="sr-only"> out of 5</span>
        {reviewCount != null && <> ({reviewCount})</>}
      </span>
    </span>
  );
}

function StarRow({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 100 20" width="80" height="16" className={className} aria-hidden="true">
      {STARS.map((star) => (
        <use key={star} href="#star" x={(star - 1) * 20} />
      ))}
    </svg>
  );
}

/** The star's shape, once per page: every rating refers to it. */
export function StarSymbol() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <symbol id="star" viewBox="0 0 20 20" width="20" height="20">
        <path
          fill="currentColor"
          d="M10 1.6l2.5 5.3 5.8.7-4.3 4 1.1 5.7L10 14.5l-5.1 2.8L6 11.6l-4.3-4 5.8-.7z"
        />
      </symbol>
    </svg>
  );
}
