import { Button } from "#app/components/button.tsx";

/** One line that says what could not be loaded, with a Try Again button. */
export function RetryNote({ message, onTryAgain }: { message: string; onTryAgain: () => void }) {
  return (
    <div
      role="alert"
      className="my-3 flex flex-wrap items-center justify-between gap-3 rounded-card border border-clay bg-clay-tint px-4 py-3"
    >
      <p className="font-semibold">{message}</p>
      <Button variant="secondary" size="small" onClick={onTryAgain}>
        Try Again
      </Button>
    </div>
  );
}
