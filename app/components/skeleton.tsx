/** A quiet placeholder of something that loads; its size is given by the caller, so that nothing moves later. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span aria-hidden="true" className={`block animate-pulse rounded-control bg-line/70 ${className}`} />
  );
}
