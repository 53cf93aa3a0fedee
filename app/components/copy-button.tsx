import { useHydrated } from "#app/lib/react/use-hydrated.ts";
import { Button } from "./button.tsx";
import { showToast } from "./toast.ts";

type CopyButtonProps = {
  text: string;
  /** Names the text in messages, such as 'ISBN'. */
  name: string;
};

/** Copies a text. Browsers allow it only on secure origins; elsewhere there is no button. */
export function CopyButton({ text, name }: CopyButtonProps) {
  const hydrated = useHydrated();

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast("success", `${name.charAt(0).toUpperCase()}${name.slice(1)} copied`);
    } catch {
      showToast("error", `We couldn't copy the ${name}. Please select and copy it instead.`);
    }
  }

  if (hydrated && !navigator.clipboard) return null;
  return (
    <Button
      variant="secondary"
      className={`px-3! py-1! sm:min-h-9! ${hydrated ? "" : "invisible"}`}
      onClick={copy}
    >
      Copy<span className="sr-only"> the {name}</span>
    </Button>
  );
}
