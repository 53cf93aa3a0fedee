import { type ReactNode, useRef } from "react";
import { Callout } from "#app/components/callout.tsx";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { WhyAccount } from "./why-account.tsx";

/** The layout of /auth and /auth/reset: a form, and beside it the benefits of an account. */
export function AccountPage({ heading, children }: { heading: string; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(heading);
  useOnLocation(() => {
    if (shown.current === heading) return;
    shown.current = heading;
    // The link that was clicked is gone, and the focus with it: move it to the new heading.
    title.current?.focus();
  });
  return (
    <div className="page grid items-start gap-12 py-10 sm:py-14 lg:grid-cols-[minmax(0,27rem)_minmax(0,1fr)] lg:gap-24">
      <div className="w-full max-w-md lg:max-w-none">
        <h1 ref={title} tabIndex={-1} className="mb-6 text-32 outline-none sm:text-42">
          {heading}
        </h1>
        <div className="mb-6 hidden noscript:block">
          <Callout tone="warning">
            Accounts need JavaScript, which is switched off in your browser. You can browse and search the
            shop without it.
          </Callout>
        </div>
        {children}
      </div>
      <WhyAccount />
    </div>
  );
}
