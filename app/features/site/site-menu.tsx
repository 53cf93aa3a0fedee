import { NavLink } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { Menu, MenuGroup, MenuLink } from "#app/components/menu.tsx";
import { useMenuPublishers } from "./menu-publishers.ts";
import * as pages from "./navigation.ts";

const entryClass = "menu-entry";

/** The navigation on wide screens: a row of links and a menu. */
export function SiteMenu({ className = "" }: { className?: string }) {
  const publishers = useMenuPublishers();
  return (
    <nav aria-label="Main" className={className}>
      <div className="-mx-3 flex">
        <Entry {...pages.home} />
        <Entry {...pages.about} />
        <Menu
          trigger={
            <>
              {pages.PRODUCTS_AND_SERVICES}
              <Icon name="chevron-down" size={16} />
            </>
          }
          triggerClass={entryClass}
          panelClass={publishers.length > 0 ? "w-150" : "w-72"}
        >
          <div className="flex gap-x-2 *:flex-1">
            <Group label="Services" entries={pages.services} />
            {publishers.length > 0 && <Group label="Publishers" entries={publishers} />}
          </div>
          <div className="mt-2 border-t border-line pt-1">
            <Group label={pages.ORDERING} entries={pages.ordering} />
          </div>
        </Menu>
        <Entry {...pages.shopBooks} />
        <Entry {...pages.contact} />
      </div>
    </nav>
  );
}

function Group({ label, entries }: { label: string; entries: readonly pages.Destination[] }) {
  return (
    <MenuGroup label={label}>
      {entries.map(({ label: name, to }) => (
        <MenuLink key={to} to={to}>
          {name}
        </MenuLink>
      ))}
    </MenuGroup>
  );
}

function Entry({ label, to }: pages.Destination) {
  return (
    <NavLink to={to} end className={entryClass}>
      {label}
    </NavLink>
  );
}
