import type { MouseEvent } from "react";
import { iconButtonClass } from "#app/components/dialog.tsx";
import { type IconName, OfficeIcon } from "./office-icon.tsx";

type IconActionProps = {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent) => void;
};

/** A button in a table's row that shows only an icon; the one that deletes turns red under the pointer. */
export function IconAction({ icon, label, onClick }: IconActionProps) {
  return (
    <button
      type="button"
      className={`${iconButtonClass} @4xl:pointer-fine:size-9 ${icon === "trash" ? "hover:text-clay" : ""}`}
      aria-label={label}
      onClick={onClick}
    >
      <OfficeIcon name={icon} />
    </button>
  );
}
