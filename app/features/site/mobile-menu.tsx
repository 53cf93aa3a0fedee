import { useRef } from "react";
import { NavLink } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { useMenuPublishers } from "./menu-publishers.ts";
import * as pages from "./navigation.ts";
import { SiteSearch } from "./site-search.tsx";

const MENU_ID = "mobile-menu";

/** The navigation on phones: a native popover below the header, so that it also opens without JavaScript. */
export function MobileMenu({ className = "" }: { className?: string }) {
  const panel = useRef<HTMLDivElement>(null);
  const publishers = useMenuPublishers();
  useOnLocation(() => panel.current?.hidePopover());

  return (
    <div className={className}>
      <button type="button" aria-label="Menu" popoverTarget={MENU_ID} className="mobile-toggle">
        <Icon name="menu" size={24} className="closed" />
        <Icon name="close" size={24} className="opened" />
      </button>
      <div ref={panel} id={MENU_ID} popover="auto" className="mobile-panel">
        <div className="page py-5">
          <SiteSearch />
          <nav aria-label="Mobile" className="mt-4">
            <ul>
              <Entry {...pages.home} />
              <Entry {...pages.about} />
              <li className="border-b border-line">
                <details className="open:pb-3">
                  <summary className="flex min-h-14 items-center justify-between font-display text-20 font-semibold">
                    {pages.PRODUCTS_AND_SERVICES}
                    <Icon name="chevron-down" />
                  </summary>
                  <Group label="Services" entries={pages.services} />
                  <Group label={pages.ORDERING} entries={pages.ordering} />
                  {publishers.length > 0 && <Group label="Publishers" entries={publishers} />}
                </details>
              </li>
              <Entry {...pages.shopBooks} />
              <Entry {...pages.contact} />
            </ul>
          </nav>
        </div>
      </div>
    </div>
  );
}

function Entry({ label, to }: pages.Destination) {
  return (
    <li className="border-b border-line">
      <NavLink to={to} end className="mobile-entry">
        {label}
      </NavLink>
    </li>
  );
}

function Group({ label, entries }: { label: string; entries: readonly pages.Destination[] }) {
  return (
    <>
      <p className="pt-2 text-13 text-muted">{label}</p>
      <ul aria-label={label}>
        {entries.map(({ label: name, to }) => (
          <li key={to}>
            <NavLink to={to} end className="mobile-link">
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  );
}
