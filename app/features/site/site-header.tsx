import type { ReactNode } from "react";
import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { shop } from "#app/shop.ts";
import { MobileMenu } from "./mobile-menu.tsx";
import { SiteMenu } from "./site-menu.tsx";
import { SiteSearch } from "./site-search.tsx";

type SiteHeaderProps = {
  /** Laid over the wishlist icon. */
  wishlistBadge?: ReactNode;
  /** The menu of who is signed in. */
  account?: ReactNode;
  /** The cart's button with its badge. */
  cart?: ReactNode;
};

/**
 * Logo, search and what belongs to the person stay in sight; the navigation scrolls away with the page. The header
 * has no box of its own, so that its first row can stick to the window while the rest of the page passes below it.
 */
export function SiteHeader({ wishlistBadge, account, cart }: SiteHeaderProps) {
  return (
    <header className="contents">
      <div className="sticky top-0 z-30 print:static bg-paper max-md:border-b max-md:border-line">
        <div className="page flex h-16 items-center gap-1 md:h-18 md:gap-8">
          <Link
            to="/"
            aria-label={`${shop.name}, home`}
            className="inline-flex min-h-11 items-center font-display text-17 font-bold whitespace-nowrap text-green min-[25rem]:text-20 md:text-25"
          >
            {shop.name}
          </Link>
          <SiteSearch className="hidden grow md:block print:hidden" />
          <div className="ml-auto flex items-center md:gap-2 print:hidden">
            <Link
              to="/wishlist"
              className="member-only relative grid size-11 place-items-center rounded-control hover:bg-tint active:bg-line"
            >
              <Icon name="heart" size={24} />
              <span className="sr-only">Wishlist</span>
              {wishlistBadge}
            </Link>
            <div className="member-only">{account}</div>
            <Link
              to="/auth"
              className={buttonClass({
                variant: "secondary",
                className: "visitor-only whitespace-nowrap max-md:px-2.5",
              })}
            >
              Sign In
            </Link>
            {cart}
            <MobileMenu className="md:hidden" />
          </div>
        </div>
      </div>
      <div className="hidden border-b border-line bg-paper md:block print:hidden">
        <SiteMenu className="page" />
      </div>
    </header>
  );
}
