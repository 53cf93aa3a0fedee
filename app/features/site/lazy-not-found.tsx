import { lazy, Suspense } from "react";

const NotFoundScreen = lazy(async () => {
  const { NotFoundScreen } = await import("./not-found-screen.tsx");
  return { default: NotFoundScreen };
});

/** The 404 page, downloaded only when it is shown: for pages that are hardly ever not there. */
export function LazyNotFound() {
  return (
    <Suspense>
      <NotFoundScreen />
    </Suspense>
  );
}
