import type { ReactNode } from "react";

/** A named fact in a description list. */
export function Fact({
  name,
  className,
  children,
}: {
  name: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <div>
      <dt className="text-13 text-muted">{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
