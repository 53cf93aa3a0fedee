import { clay, Drawing, type DrawingProps, gold, green, paper } from "./drawing.tsx";

/** A shelf with a gap where the book should be. */
export function NoBooksDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path fill={green} d="M36 40h18v72H36z" />
      <path fill={paper} d="M54 50h14v62H54z" />
      <path fill={gold} d="M68 46h10v66H68z" />
      <path fill={paper} d="M128 44h16v68h-16z" />
      <path fill={clay} d="M144 52h12v60h-12z" />
      <path d="M36 54h18M54 62h14M128 58h16M128 96h16M36 98h18" />
      <path strokeDasharray="3 6" d="M86 44h34v68H86z" />
      <circle fill={paper} cx="103" cy="72" r="17" />
      <path strokeWidth="5" d="M115 85l13 14" />
    </Drawing>
  );
}
