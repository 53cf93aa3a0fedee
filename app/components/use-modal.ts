import { type RefObject, useEffect, useRef } from "react";
import { enterToastLayer } from "./toast.ts";

/** Opens and closes a native dialog over the page, which cannot be used while it is open; toasts show inside it. */
export function useModal(open: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!open) {
      element.close();
      return;
    }
    // The page behind cannot scroll and loses its scroll bar: the body reserves its width.
    const { style, clientWidth } = document.documentElement;
    style.setProperty("--scrollbar-width", `${window.innerWidth - clientWidth}px`);
    if (!element.open) element.showModal();
    return enterToastLayer(element);
  }, [open]);
  return dialog;
}
