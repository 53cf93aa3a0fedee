import { lazy, Suspense } from "react";
import type { NearBooksProps } from "./near-books.tsx";

/** Where a link above the result leads. */
export const CLOSE_MATCHES = "close-matches";

/**
 * Lazy, because only a search needs it. If its code can't be loaded, a browser keeps what the server rendered: an
 * error here would replace the whole result.
 */
const NearBooks = lazy(() =>
  import("./near-books.tsx").then(
    ({ NearBooks }) => ({ default: NearBooks }),
    (error) => (import.meta.env.SSR ? Promise.reject(error) : new Promise<never>(() => {})),
  ),
);

export function NearSection(props: NearBooksProps) {
  return (
    <div data-late="" id={CLOSE_MATCHES} className="scroll-mt-24">
      <Suspense fallback={null}>
        <NearBooks {...props} />
      </Suspense>
    </div>
  );
}
