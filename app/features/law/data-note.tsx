import type { ReactNode } from "react";
import { Link } from "react-router";
import { privacy } from "./law-pages.ts";

/** What typed details are for, where they are typed (Data Protection Act, 2012 (Act 843), section 27). */
export function DataNote({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <p className={`text-15 text-muted ${className}`}>
      {children} <LawLink page={privacy} />
    </p>
  );
}

export function LawLink({ page }: { page: { label: string; to: string } }) {
  return (
    <Link to={page.to} className="underline underline-offset-4 hover:text-green">
      {page.label}
    </Link>
  );
}
