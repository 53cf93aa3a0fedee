import { buttonClass } from "#app/components/button.tsx";

/** Says that books could not be read, with a way to try again that works without JavaScript. */
export function LoadFailure({ message, tryAgainHref }: { message: string; tryAgainHref: string }) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-4 rounded-card border border-clay bg-clay-tint p-6"
    >
      <p className="font-semibold">{`Failed to load books: ${message}`}</p>
      <a href={tryAgainHref} className={buttonClass({ variant: "secondary" })}>
        Try Again
      </a>
    </div>
  );
}
