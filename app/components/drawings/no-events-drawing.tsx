import { Drawing, type DrawingProps, gold, green, paper } from "./drawing.tsx";

/** A calendar leaf with nothing on it. */
export function NoEventsDrawing({ className }: DrawingProps) {
  return (
    <Drawing className={className}>
      <path fill={paper} d="M56 34h88v78H56z" />
      <path fill={green} d="M56 34h88v18H56z" />
      <path d="M74 26v16M126 26v16M56 72h88M56 92h88M78 52v60M100 52v60M122 52v60" />
      <path fill={gold} d="M100 72h22v20h-22z" />
    </Drawing>
  );
}
