import { Skeleton } from "#app/components/skeleton.tsx";

/** As tall as the window, like most quotes, so that the footer does not move into view and down again. */
export function QuoteSkeleton() {
  return (
    <div aria-busy="true" className="flex min-h-dvh flex-col gap-5">
      <h1 className="sr-only">Your quote</h1>
      <Skeleton className="h-11 w-80 max-w-full" />
      <Skeleton className="h-96" />
    </div>
  );
}
