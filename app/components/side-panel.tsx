import { type ReactNode, useEffect, useRef } from "react";
import { enterToastLayer } from "./toast.ts";

type SidePanelProps = {
  open: boolean;
  /** Called for Escape, a press beside the panel and the browser's own way back. */
  onClose: () => void;
  /** Id of the heading that names the panel. */
  labelledBy: string;
  children: ReactNode;
};

/**
 * A panel that slides in from the right over the page. The dialog itself spans the window, so that a press beside
 * the panel lands on it and messages shown meanwhile find room in it.
 */
export function SidePanel({ open, onClose, labelledBy, children }: SidePanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!open) {
      if (element.open) element.close();
      return;
    }
    // While the page behind cannot scroll its scroll bar is gone: the body keeps its place free.
    const { style, clientWidth } = document.documentElement;
    style.setProperty("--scrollbar-width", `${window.innerWidth - clientWidth}px`);
    if (!element.open) element.showModal();
    return enterToastLayer(element);
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; the click is the pointer's way
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
