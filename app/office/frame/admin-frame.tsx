import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { iconButtonClass } from "#app/components/dialog.tsx";
import { StarSymbol } from "#app/components/star-symbol.tsx";
import { signOut } from "#app/features/session/backend.ts";
import type { Staff } from "#app/features/session/staff.queries.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { createAdminQueryClient } from "./admin-data.ts";
// Loaded early: toasts must also work after the connection is lost, when their code cannot be fetched.
import "#app/components/toaster.tsx";
import { mayOpen, StaffProvider } from "./duties.tsx";
import { KeptHere } from "./kept-here.tsx";
import { MissingDuty } from "./missing-duty.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSidebarState } from "./sidebar-state.ts";

/** The layout of every back-office page; explains a missing duty instead of a page. Never rendered on the server. */
export function AdminFrame({ staff, children }: { staff: Staff; children: ReactNode }) {
  const { pathname } = useLocation();
  const [queries] = useState(createAdminQueryClient);
  const sidebar = useSidebarState();
  const [changing, setChanging] = useState(false);
  return (
    <QueryClientProvider client={queries}>
      <StaffProvider value={staff}>
        <StarSymbol />
        <a
          href="#content"
          className={buttonClass({ className: "fixed top-2 left-2 z-50 not-focus:sr-only" })}
        >
          Skip to content
        </a>
        <div className="flex min-h-dvh wrap-anywhere bg-surface text-15 leading-6">
          <Sidebar
            state={sidebar}
            onSignOut={() => void signOut()}
            onChangePassword={() => setChanging(true)}
          />
          <div className="min-w-0 grow">
            <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-surface px-1.5 sm:pr-5 print:hidden">
              <button
                type="button"
                onClick={sidebar.toggle}
                aria-label="Toggle sidebar"
                aria-keyshortcuts="Control+B Meta+B"
                className={iconButtonClass}
              >
                <OfficeIcon name="sidebar" />
              </button>
              <p className="grow font-display text-20 font-semibold">Admin Panel</p>
              <Link to="/" className={buttonClass({ variant: "quiet", size: "small" })}>
                View shop
              </Link>
            </header>
            <main id="content" tabIndex={-1} className="@container focus:outline-none">
              <KeptHere />
              {mayOpen(staff, pathname) ? children : <MissingDuty path={pathname} />}
            </main>
          </div>
        </div>
        {changing && <PasswordDialog onClose={() => setChanging(false)} />}
      </StaffProvider>
    </QueryClientProvider>
  );
}
