import { Drawing, type DrawingProps, gold, green, paper } from "./drawing.tsx";

/** An open book with a page that has flown out. */
export function LostPageDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path fill={green} d="M28 64l72 12 72-12v48H28z" />
      <path
        fill={paper}
        d="M100 74C84 60 58 56 36 60v42c22-4 48 0 64 8 16-8 42-12 64-8V60c-22-4-48 0-64 14z"
      />
      <path d="M100 74v36M50 72c14-1 26 1 38 6M50 84c14-1 26 1 38 6" />
      <path fill={gold} d="M120 16l34-6 6 36-34 6z" />
      <path d="M128 26l20-3M130 35l16-3" />
      <path strokeDasharray="2 7" d="M112 62c-2-14 0-22 6-30" />
    </Drawing>
  );
}
