import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import { useHydrated } from "#app/lib/use-hydrated.ts";

/**
 * Sends a form for accounts. Until the page answers presses it is disabled without looking so: the browser would
 * send the form by itself, and a password belongs in no other request than the provider's.
 */
export function SubmitButton({
  busy,
  busyLabel,
  children,
}: {
  busy: boolean;
  busyLabel: string;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  return (
    <Button
      type="submit"
      size="large"
      busy={busy}
      disabled={!hydrated}
      className="w-full disabled:bg-green! disabled:text-white!"
    >
      {busy ? busyLabel : children}
    </Button>
  );
}
