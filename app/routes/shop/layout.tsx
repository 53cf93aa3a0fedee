import { lazy, Suspense } from "react";
import { Outlet } from "react-router";
import { StarSymbol } from "#app/components/star-symbol.tsx";
import { AccountMenu } from "#app/features/account/account-menu.tsx";
import { CartButton } from "#app/features/cart/cart-button.tsx";
import { lateOffline } from "#app/features/offline/late-offline.ts";
import { useLinkQuestion } from "#app/features/session/email-link-store.ts";
import { useReturnPlace } from "#app/features/session/sign-in-return.ts";
import { FramePart } from "#app/features/site/frame-part.tsx";
import { PageAnnouncer } from "#app/features/site/page-announcer.tsx";
import { SiteFooter } from "#app/features/site/site-footer.tsx";
import { SiteHeader } from "#app/features/site/site-header.tsx";
import { WishlistBadge, WishlistCount } from "#app/features/wishlist/wishlist-count.tsx";
import { useStore } from "#app/lib/react/create-store.ts";

/** Lazy, because it is hardly ever shown. */
const LinkQuestion = lazy(async () => ({
  default: (await import("#app/features/account/link-question.tsx")).LinkQuestion,
}));

/** A component of its own, so that its code's arrival does not render the whole layout again. */
function LateOfflineArea() {
  const offline = useStore(lateOffline);
  return offline && <offline.OfflineArea />;
}

/** The layout of every shop and account page: header, page, footer. */
export default function ShopLayout() {
  useReturnPlace();
  const asks = useLinkQuestion() !== null;
  const header = (
    <SiteHeader
      wishlistBadge={<WishlistBadge />}
      account={<AccountMenu wishlistCount={<WishlistCount />} />}
      cart={<CartButton />}
    />
  );
  const footer = <SiteFooter />;
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      {import.meta.env.SSR ? <FramePart name="header">{header}</FramePart> : header}
      <main id="content" className="min-h-[70dvh]">
        <Outlet />
      </main>
      {import.meta.env.SSR ? <FramePart name="footer">{footer}</FramePart> : footer}
      <PageAnnouncer />
      <LateOfflineArea />
      {asks && (
        <Suspense>
          <LinkQuestion />
        </Suspense>
      )}
      <StarSymbol />
    </>
  );
}
