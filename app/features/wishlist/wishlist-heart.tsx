import type { FormEvent } from "react";
import { Icon } from "#app/components/icon.tsx";
import { toggleWish, useWished } from "./use-wishlist.ts";

/** Puts a book on the wishlist and takes it off. Until the page is alive it leads to the sign-in page. */
export function WishlistHeart({ book }: { book: { id: string; title: string } }) {
  const wished = useWished(book.id);

  function toggle(event: FormEvent) {
    event.preventDefault();
    void toggleWish(book.id);
  }

  return (
    <form action="/auth" onSubmit={toggle}>
      <button
        type="submit"
        aria-pressed={wished}
        aria-label={`Add to wishlist: ${book.title}`}
        className="group/heart grid size-11 place-items-center rounded-full"
      >
        {/* What is pressed is larger than what is seen: the cover's words end beside it. */}
        <span className="grid size-9 place-items-center rounded-full bg-surface text-clay shadow-float transition-transform group-hover/heart:bg-clay-tint group-active/heart:scale-95">
          <Icon name={wished ? "heart-filled" : "heart"} />
        </span>
      </button>
    </form>
  );
}
