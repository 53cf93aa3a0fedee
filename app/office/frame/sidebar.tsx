import { Dialog } from "radix-ui";
import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { overlayClass } from "#app/components/dialog.tsx";
import { useReturnFocus } from "#app/components/return-focus.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { mayOpen, useStaff } from "./duties.tsx";
import { officePages } from "./office-pages.ts";
import type { SidebarState } from "./sidebar-state.ts";

type SidebarProps = { state: SidebarState; onSignOut: () => void; onChangePassword: () => void };

/** 16rem wide, or 3rem of icons; on a phone a sheet of 18rem. */
export function Sidebar({ state, onSignOut, onChangePassword }: SidebarProps) {
  const returnFocus = useReturnFocus(state.sheetOpen);
  return (
    <>
      <aside
        data-sidebar={state.expanded ? "wide" : "icons"}
        className={`on-dark sticky top-0 z-30 hidden h-dvh shrink-0 overflow-hidden bg-green-deep text-white transition-[width] md:block print:hidden ${
          state.expanded ? "w-64" : "w-12"
        }`}
      >
        <SidebarContent icons={!state.expanded} onSignOut={onSignOut} onChangePassword={onChangePassword} />
      </aside>
      <Dialog.Root open={state.sheetOpen} onOpenChange={state.setSheetOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className={overlayClass} />
          <Dialog.Content
            aria-describedby={undefined}
            // The first control that is not a link would be Sign Out.
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
            }}
            onCloseAutoFocus={returnFocus}
            className="on-dark fixed inset-y-0 left-0 z-50 w-72 bg-green-deep text-15 text-white shadow-float focus:outline-none md:hidden"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <SidebarContent
              icons={false}
              onSignOut={onSignOut}
              onChosen={() => state.setSheetOpen(false)}
              onChangePassword={() => {
                state.setSheetOpen(false);
                onChangePassword();
              }}
            />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}

const entryClass =
  "flex h-11 md:pointer-fine:h-[clamp(1.75rem,(100dvh-7rem)/20,2.25rem)] shrink-0 items-center gap-3 rounded-control whitespace-nowrap no-underline";

function SidebarContent({
  icons,
  onSignOut,
  onChangePassword,
  onChosen,
}: {
  icons: boolean;
  onSignOut: () => void;
  onChangePassword: () => void;
  onChosen?: () => void;
}) {
  const staff = useStaff();
  const entries = officePages.flatMap(({ to, entry }) =>
    entry && mayOpen(staff, to) ? { to, ...entry } : [],
  );
  const { pathname } = useLocation();
  const list = useRef<HTMLElement>(null);
  // The list of entries is taller than a laptop's screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry changes with the path
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [pathname]);
  const padding = icons ? "mx-0.5 justify-center" : "mx-2 px-3";
  return (
    <div className="flex h-full flex-col pb-3">
      <div className="flex h-14 shrink-0 items-center px-5">
        {!icons && <span className="font-display text-20 font-semibold">{currentShop().name}</span>}
      </div>
      <nav ref={list} aria-label="Back office" className="grow overflow-y-auto pt-1">
        <ul className="flex flex-col gap-0.5">
          {entries.map(({ to, label, icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === "/admin"}
                prefetch="intent"
                title={icons ? label : undefined}
                onClick={onChosen}
                className={({ isActive }) =>
                  `${entryClass} ${padding} ${isActive ? "bg-white font-semibold text-green-deep" : "hover:bg-white/10"}`
                }
              >
                <OfficeIcon name={icon} className="shrink-0" />
                <span className={icons ? "sr-only" : undefined}>{label}</span>
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <button
        type="button"
        onClick={onChangePassword}
        title={icons ? "Change password" : undefined}
        className={`${entryClass} ${padding} hover:bg-white/10`}
      >
        <OfficeIcon name="key" className="shrink-0" />
        <span className={icons ? "sr-only" : undefined}>Change password</span>
      </button>
      <button
        type="button"
        onClick={onSignOut}
        title={icons ? "Sign Out" : undefined}
        className={`${entryClass} ${padding} hover:bg-white/10`}
      >
        <OfficeIcon name="sign-out" className="shrink-0" />
        <span className={icons ? "sr-only" : undefined}>Sign Out</span>
      </button>
    </div>
  );
}
