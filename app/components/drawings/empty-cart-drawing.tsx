import { Drawing, type DrawingProps, gold, green, paper } from "./drawing.tsx";

/** An empty shopping basket. */
export function EmptyCartDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path fill={paper} d="M54 62h92l-12 50H66z" />
      <path d="M62 62l22-34M138 62l-22-34M60 78h80M63 94h74M82 62l4 50M118 62l-4 50M100 62v50" />
      <path fill={green} d="M46 54h108v10H46z" />
      <path fill={gold} d="M92 50h16v18H92z" />
    </Drawing>
  );
}
