import { useState } from "react";

/**
 * For a window without a trigger of its own: whoever had the focus when it opened gets it back when it closes. Give
 * the answer to the window's `onCloseAutoFocus`. `knownOpener` is for a window that takes another's place.
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
