import { createContext, type ReactNode, useContext } from "react";
import { Link } from "react-router";
import type { Duty } from "#app/features/session/duties.ts";
import type { Staff } from "#app/features/session/staff.queries.ts";
import { dutiesFor } from "./office-pages.ts";

const Current = createContext<Staff>({ isAdmin: false, duties: [], missing: null });

/** Provides the user's duties to the back office. The database decides; this only hides what it would refuse. */
export const StaffProvider = Current.Provider;

export const useStaff = () => useContext(Current);

export const useDuty = (duty: Duty) => useStaff().duties.includes(duty);

/** Whether this person may open a page of the back office. */
export function mayOpen({ isAdmin, duties }: Staff, path: string): boolean {
  const enough = dutiesFor(path);
  if (isAdmin || enough === "any") return true;
  return enough.some((duty) => duties.includes(duty));
}

type OfficeLinkProps = {
  to: string;
  /** The duty for what the link opens there, if the page's own is not enough. */
  duty?: Duty;
  className?: string;
  "aria-label"?: string;
  children: ReactNode;
};

/** A link to another page of the back office; plain text for those who may not open it. */
export function OfficeLink({ to, duty, children, ...look }: OfficeLinkProps) {
  const staff = useStaff();
  if (!mayOpen(staff, to) || (duty && !staff.duties.includes(duty))) return children;
  return (
    <Link to={to} {...look}>
      {children}
    </Link>
  );
}
