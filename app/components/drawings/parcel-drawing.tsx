import { Drawing, type DrawingProps, gold, green, paper } from "./drawing.tsx";

/** A parcel tied with a woven ribbon. */
export function ParcelDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path fill={paper} d="M46 50h108v62H46z" />
      <path fill={paper} d="M46 50l12-16h84l12 16z" />
      <path fill={green} d="M90 50h20v62H90z" />
      <path fill={gold} d="M100 58l8 8-8 8-8-8zM100 84l8 8-8 8-8-8z" />
      <path d="M58 98h20" />
    </Drawing>
  );
}
