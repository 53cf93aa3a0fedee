import { type ReactNode, useId } from "react";

/** A titled section of a page with a border. */
export function Panel({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line px-4 py-3.5 print:border-0 print:p-0"
    >
      <div className="mb-2 flex break-after-avoid items-center justify-between gap-3">
        <h2 id={id} className="text-17">
          {title}
        </h2>
        {action && <div className="print:hidden">{action}</div>}
      </div>
      {children}
    </section>
  );
}
