import { useWishlistCount } from "./use-wishlist.ts";

/** The number of books as a badge on the header's heart; nothing while there are none. */
export function WishlistBadge() {
  const count = useWishlistCount();
  if (count === 0) return null;
  return (
    <span className="figures absolute top-0.5 right-0 min-w-5 rounded-full bg-clay px-1 text-center text-13 font-semibold text-white">
      {count}
      <span className="sr-only"> books</span>
    </span>
  );
}

/** The number of books beside 'Wishlist' in the account menu. */
export function WishlistCount() {
  const count = useWishlistCount();
  return <span className="figures text-muted">({count})</span>;
}
