import { Skeleton } from "#app/components/skeleton.tsx";

/** The back office until the user's role is known; the server renders this for every visitor. */
export function AdminSkeleton() {
  return (
    <div className="flex min-h-dvh bg-surface" aria-busy="true">
      <p role="status" className="sr-only">
        Checking your access...
      </p>
      <div className="hidden w-64 shrink-0 bg-green-deep md:block" />
      <div className="grow">
        <div className="h-14 border-b border-line" />
        <div className="flex flex-col gap-4 px-4 pt-6 sm:px-6">
          <p className="hidden noscript:block">
            The back office needs JavaScript. Please switch it on and reload the page.
          </p>
          <Skeleton className="h-8 w-56" />
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-64 w-full" />
        </div>
      </div>
    </div>
  );
}
