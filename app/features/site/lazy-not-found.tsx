import { lazy, Suspense } from "react";

const NotFoundScreen = lazy(async () => {
  const { NotFoundScreen } = await import("./not-found-screen.tsx");
  return { default: NotFoundScreen };
});

/** The 404 page, downloaded only when shown: for pages that rarely need it. */
export function LazyNotFound() {
  return (
    <Suspense>
      <NotFoundScreen />
    </Suspense>
  );
}
