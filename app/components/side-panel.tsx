import type { ReactNode } from "react";
import { useModal } from "./use-modal.ts";

type SidePanelProps = {
  open: boolean;
  /** Called on Escape, on a click beside the panel and on a phone's back gesture. */
  onClose: () => void;
  /** Id of the panel's heading. */
  labelledBy: string;
  children: ReactNode;
};

/**
 * A panel that slides in from the right over the page. The dialog itself spans the window, so that a click beside
 * the panel lands on it and toasts shown while it is open have room in it.
 */
export function SidePanel({ open, onClose, labelledBy, children }: SidePanelProps) {
  const dialog = useModal(open);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape; the click is for the pointer
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className="group/panel fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none overflow-hidden bg-transparent text-ink transition-[display,overlay] transition-discrete backdrop:opacity-0 backdrop:transition-opacity open:backdrop:opacity-100 starting:open:backdrop:opacity-0"
    >
      <div className="ml-auto flex h-full w-full max-w-md translate-x-full flex-col overflow-y-auto bg-paper shadow-float transition-transform group-open/panel:translate-x-0 starting:group-open/panel:translate-x-full">
        {children}
      </div>
    </dialog>
  );
}
