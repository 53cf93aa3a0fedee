import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { MobileMenu } from "./mobile-menu.tsx";
import { SiteMenu } from "./site-menu.tsx";
import { SiteSearch } from "./site-search.tsx";

type SiteHeaderProps = {
  /** Shown over the wishlist icon. */
  wishlistBadge?: ReactNode;
  /** The signed-in user's menu. */
  account?: ReactNode;
  cart?: ReactNode;
};

/**
 * Logo, search and account stay in view; the navigation scrolls away with the page, and on a phone the search too, which
 * is left out on pages with their own. The header has no box (display: contents), so that its first row can stick to the
 * window for the whole page.
 */
export function SiteHeader({ wishlistBadge, account, cart }: SiteHeaderProps) {
  const shop = currentShop();
  const hasOwnSearch = ["/shop", "/search"].includes(useLocation().pathname);
  return (
    <header className="contents">
      <div className="sticky top-0 z-30 print:static bg-paper max-md:border-b max-md:border-line">
        <div className="page flex h-16 items-center gap-1 md:h-18 md:gap-8">
          <Link to="/" aria-label={`${shop.name}, home`} className="site-name">
            {shop.name}
          </Link>
          <SiteSearch className="hidden grow md:block print:hidden" />
          <div className="ml-auto flex items-center md:gap-2 print:hidden">
            <Link to="/wishlist" className="member-only header-icon">
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
      {!hasOwnSearch && (
        // Hidden while the menu, which has its own search, covers it.
        <div className="page py-2.5 md:hidden print:hidden [header:has(#mobile-menu:popover-open)_&]:invisible">
          <SiteSearch />
        </div>
      )}
      <div className="hidden border-b border-line bg-paper md:block print:hidden">
        <SiteMenu className="page" />
      </div>
    </header>
  );
}
