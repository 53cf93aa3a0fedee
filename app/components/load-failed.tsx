import { Button } from "./button.tsx";

type LoadFailedProps = { text: string; onTryAgain: () => void; className?: string };

/** Says what could not be loaded in a members-only part of a page, with a Try Again button. */
export function LoadFailed({ text, onTryAgain, className = "" }: LoadFailedProps) {
  return (
    <div role="alert" className={`flex flex-col items-start gap-4 ${className}`}>
      <p className="font-semibold text-clay">{text}</p>
      <Button variant="secondary" onClick={onTryAgain}>
        Try Again
      </Button>
    </div>
  );
}
