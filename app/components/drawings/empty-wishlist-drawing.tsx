import { clay, Drawing, type DrawingProps, gold, green, paper } from "./drawing.tsx";

/** A book with a ribbon, waiting to be chosen. */
export function EmptyWishlistDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path fill={paper} d="M62 28h76v84H62z" />
      <path fill={green} d="M62 28h12v84H62z" />
      <path d="M84 98h42" />
      <path fill={clay} d="M106 82 88 64a11 11 0 0 1 16-15l2 2 2-2a11 11 0 0 1 16 15z" />
      <path fill={gold} d="M120 28h10v20l-5-5-5 5z" />
    </Drawing>
  );
}
