/** A placeholder while something loads; the caller gives its size, so that nothing moves later. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span aria-hidden="true" className={`block animate-pulse rounded-control bg-line/70 ${className}`} />
  );
}
