import type { FormEvent } from "react";
import { Icon } from "#app/components/icon.tsx";
import { intentAttribute } from "#app/features/session/sign-in-return.ts";
import { toggleWishlist, useIsOnWishlist } from "./use-wishlist.ts";

/** Adds a book to the wishlist or removes it. Until hydration it leads to the sign-in page. */
export function WishlistHeart({ book }: { book: { id: string; title: string } }) {
  const onWishlist = useIsOnWishlist(book.id);

  function toggle(event: FormEvent) {
    event.preventDefault();
    toggleWishlist(book.id);
  }

  return (
    <form action="/auth" onSubmit={toggle} {...intentAttribute("wishlist")}>
      <button
        type="submit"
        aria-pressed={onWishlist}
        aria-label={`Add to wishlist: ${book.title}`}
        className="group/heart heart-button"
      >
        <span className="heart">
          <Icon name={onWishlist ? "heart-filled" : "heart"} />
        </span>
      </button>
    </form>
  );
}
