import { useState } from "react";

/**
 * For a dialog without a trigger: the element that had the focus when it opened gets it back when it closes. Pass the
 * result to the dialog's `onCloseAutoFocus`. `knownOpener` is for a dialog that replaces another.
 */
export function useReturnFocus(open: boolean, knownOpener?: Element | null): (event: Event) => void {
  const [opener, setOpener] = useState<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpener(knownOpener ?? document.activeElement);
  }
  return (event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
