const places = [0, 20, 40, 60, 80];

/** The star's shape, and five in a row: every rating on the page refers to them. */
export function StarSymbol() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <symbol id="star" viewBox="0 0 20 20" width="20" height="20">
        <path
          fill="currentColor"
          d="M10 1.6l2.5 5.3 5.8.7-4.3 4 1.1 5.7L10 14.5l-5.1 2.8L6 11.6l-4.3-4 5.8-.7z"
        />
      </symbol>
      <symbol id="stars" viewBox="0 0 100 20">
        {places.map((x) => (
          <use key={x} href="#star" x={x} />
        ))}
      </symbol>
    </svg>
  );
}
