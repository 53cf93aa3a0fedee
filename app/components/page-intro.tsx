import type { ReactNode } from "react";
import { Link } from "react-router";

type PageIntroProps = {
  title: string;
  parent?: { label: string; to: string };
  children?: ReactNode;
};

/** The top of a page: a large heading and a short introduction. */
export function PageIntro({ title, parent, children }: PageIntroProps) {
  return (
    <div className="page pt-10 sm:pt-16">
      {parent && (
        <p className="mb-1 text-15">
          <Link
            to={parent.to}
            className="inline-flex min-h-11 items-center text-green underline underline-offset-4 hover:text-green-deep"
          >
            {parent.label}
          </Link>
        </p>
      )}
      <h1 className="max-w-[24ch] text-32 sm:text-42">{title}</h1>
      {children && <div className="measure mt-4 flex flex-col gap-4 text-17 sm:text-20">{children}</div>}
    </div>
  );
}
