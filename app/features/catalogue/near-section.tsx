import { lazy, Suspense } from "react";
import type { NearBooksProps } from "./near-books.tsx";

/** Lazy, because only a search that finds little needs it. */
const NearBooks = lazy(async () => {
  const { NearBooks } = await import("./near-books.tsx");
  return { default: NearBooks };
});

export function NearSection(props: NearBooksProps) {
  return (
    <Suspense fallback={null}>
      <NearBooks {...props} />
    </Suspense>
  );
}
