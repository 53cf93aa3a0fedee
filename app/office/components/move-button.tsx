import { IconAction } from "./icon-action.tsx";

type MoveButtonProps = {
  label: string;
  icon: "chevron-up" | "chevron-down";
  /** Whether the line is at that end already: the button stays, so that it keeps the focus. */
  isEnd: boolean;
  onMove: () => void;
};

export function MoveButton({ label, icon, isEnd, onMove }: MoveButtonProps) {
  return (
    <span className={isEnd ? "opacity-40" : undefined}>
      <IconAction icon={icon} label={label} onClick={onMove} />
    </span>
  );
}
