import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import { useHydrated } from "#app/lib/react/use-hydrated.ts";

/**
 * The submit button of account forms. Until hydration it is disabled without looking so: the browser would submit the
 * form natively, and a password must go to the provider only.
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
