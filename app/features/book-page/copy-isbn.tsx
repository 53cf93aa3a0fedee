import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { useHydrated } from "#app/lib/use-hydrated.ts";

/** Copies an ISBN, for a teacher's list or an order form. Browsers allow it on secure origins only; elsewhere it is not offered. */
export function CopyIsbn({ isbn }: { isbn: string }) {
  const hydrated = useHydrated();

  async function copy() {
    try {
      await navigator.clipboard.writeText(isbn);
      showToast("success", "ISBN copied");
    } catch {
      showToast("error", "We couldn't copy the ISBN. Please select and copy it instead.");
    }
  }

  if (hydrated && !navigator.clipboard) return null;
  return (
    <Button
      variant="secondary"
      className={`px-3! py-1! text-13 sm:min-h-9! ${hydrated ? "" : "invisible"}`}
      onClick={copy}
    >
      Copy<span className="sr-only"> the ISBN</span>
    </Button>
  );
}
