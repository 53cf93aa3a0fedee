import type { ReactNode } from "react";

type FactProps = {
  name: string;
  className: string;
  /** Whether it has a row of its own in a grid. */
  wide?: boolean;
  children: ReactNode;
};

/** A named fact in a description list. */
export function Fact({ name, className, wide = false, children }: FactProps) {
  return (
    <div className={wide ? "col-span-full" : undefined}>
      <dt className="text-13 text-muted">{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
