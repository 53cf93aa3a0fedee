import type { ReactNode } from "react";

type AdminPageProps = {
  title: ReactNode;
  lead?: string;
  /** Buttons to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
};

export function AdminPage({ title, lead, actions, children }: AdminPageProps) {
  return (
    <div className="mx-auto max-w-[90rem] px-4 pt-5 pb-16 sm:px-6 print:p-0">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-25">{title}</h1>
          {lead && <p className="text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
