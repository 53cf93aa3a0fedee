import type { ReactNode } from "react";

/** A form's buttons, fixed at the bottom, with the form's errors above them. */
export function BottomBar({ problem, children }: { problem: string | null; children: ReactNode }) {
  return (
    <>
      {problem && (
        <p role="alert" className="font-semibold text-clay">
          {problem}
        </p>
      )}
      <div
        data-bottom-bar
        className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t border-line bg-surface px-4 py-3 sm:-mx-6 sm:px-6"
      >
        {children}
      </div>
    </>
  );
}
