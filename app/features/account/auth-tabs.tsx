import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { useHydrated } from "#app/lib/react/use-hydrated.ts";
import { type AuthView, authViewHref } from "./auth-view.ts";

const TABS = [
  { view: "sign-in", label: "Sign In" },
  { view: "sign-up", label: "Sign Up" },
] as const satisfies { view: AuthView; label: string }[];

type TabView = (typeof TABS)[number]["view"];

/** Two tabs that are links, so that they work without JavaScript; arrow keys, Home and End move between them. */
export function AuthTabs({ view, children }: { view: TabView; children: ReactNode }) {
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const at = TABS.findIndex((tab) => tab.view === view);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined && event.key !== " ") return;
    event.preventDefault();
    const next = TABS.at((to ?? at) % TABS.length);
    if (!next || next.view === view) return;
    void navigate(authViewHref(next.view), { replace: true, preventScrollReset: true });
    list.current?.querySelector<HTMLElement>(`#tab-${next.view}`)?.focus();
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label="Your account"
        className="flex gap-8 border-b border-line"
        onKeyDown={onKeyDown}
      >
        {TABS.map((tab) => {
          const selected = tab.view === view;
          return (
            <Link
              key={tab.view}
              id={`tab-${tab.view}`}
              role="tab"
              aria-selected={selected}
              aria-controls={selected ? "auth-panel" : undefined}
              // Arrow keys move between tabs; before hydration each tab is in the tab order.
              tabIndex={hydrated && !selected ? -1 : undefined}
              to={authViewHref(tab.view)}
              replace
              preventScrollReset
              className={`-mb-px inline-flex min-h-12 items-center border-b-3 font-display text-20 font-semibold no-underline ${
                selected ? "border-green text-green" : "border-transparent text-muted hover:text-ink"
              }`}
            >
              {tab.label}
            </Link>
          );
        })}
      </div>
      <div role="tabpanel" id="auth-panel" aria-labelledby={`tab-${view}`} className="pt-7">
        {children}
      </div>
    </>
  );
}
