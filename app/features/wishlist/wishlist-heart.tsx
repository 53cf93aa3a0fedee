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
        className="group/heart grid size-11 place-items-center rounded-full"
      >
        <span className="grid size-11 place-items-center rounded-full text-clay sm:size-9 transition-transform group-hover/heart:bg-clay-tint group-active/heart:scale-95">
          <Icon name={onWishlist ? "heart-filled" : "heart"} />
        </span>
      </button>
    </form>
  );
}
