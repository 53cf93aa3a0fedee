import { lazy, type ReactNode, Suspense } from "react";
import { Icon } from "#app/components/icon.tsx";
import { Menu, MenuAction, MenuLink, MenuNote } from "#app/components/menu.tsx";
import { signOut } from "#app/features/session/backend.ts";
import { useSessionUser } from "#app/features/session/session.ts";

/** Fetched for members only. Without its code there is no link; /admin can still be opened directly. */
const StaffLink = lazy(() =>
  import("./staff-link.tsx").then(
    ({ StaffLink }) => ({ default: StaffLink }),
    () => ({ default: () => null }),
  ),
);

/**
 * The account menu in the header. It is rendered from the start, where only members see it, so that nothing moves when
 * the session loads. `wishlistCount` is shown beside Wishlist.
 */
export function AccountMenu({ wishlistCount }: { wishlistCount?: ReactNode }) {
  const user = useSessionUser();
  return (
    <Menu
      align="end"
      triggerLabel="Account"
      triggerClass="account-button"
      panelClass="w-60 sm:w-72"
      trigger={
        <>
          <Icon name="user" size={24} />
          <span className="max-md:hidden">Account</span>
          <span className="max-md:hidden">
            <Icon name="chevron-down" size={16} />
          </span>
        </>
      }
    >
      {user && (
        <MenuNote>
          <span className="wrap-anywhere">{user.email}</span>
        </MenuNote>
      )}
      <MenuLink to="/wishlist">
        <Icon name="heart" />
        <span className="grow">Wishlist</span>
        {wishlistCount}
      </MenuLink>
      <MenuLink to="/orders">
        <Icon name="receipt" />
        My Orders
      </MenuLink>
      <MenuLink to="/account">
        <Icon name="user" />
        My Account
      </MenuLink>
      {user && (
        <Suspense>
          <StaffLink userId={user.id} />
        </Suspense>
      )}
      <MenuAction onSelect={() => void signOut()}>
        <Icon name="sign-out" />
        Sign Out
      </MenuAction>
    </Menu>
  );
}
