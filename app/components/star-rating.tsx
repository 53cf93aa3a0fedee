/** Five stars filled to the nearest half. `rating` is 0 to 5; the text beside them has the exact figure. */
export function StarRating({ rating, reviewCount }: { rating: number; reviewCount?: number | null }) {
  const halves = Math.round(rating * 2) / 2;
  return (
    <span className="rating">
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
        {reviewCount != null && ` (${reviewCount})`}
      </span>
    </span>
  );
}

function StarRow({ className }: { className: string }) {
  return (
    <svg width="80" height="16" className={className} aria-hidden="true">
      <use href="#stars" />
    </svg>
  );
}
