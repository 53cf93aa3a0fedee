import { Link } from "react-router";
import { buttonClass } from "./button.tsx";

type FailureBlockProps = {
  text: string;
  tryAgainHref: string;
  /** Called instead of following the link once the page is hydrated. */
  onTryAgain?: () => void;
};

/** Says that part of a page could not be loaded, with a Try Again link that works without JavaScript. */
export function FailureBlock({ text, tryAgainHref, onTryAgain }: FailureBlockProps) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-4 rounded-card border border-clay bg-clay-tint p-6"
    >
      <p className="font-semibold wrap-anywhere">{text}</p>
      <Link
        to={tryAgainHref}
        replace
        preventScrollReset
        onClick={(event) => {
          if (!onTryAgain) return;
          event.preventDefault();
          onTryAgain();
        }}
        className={buttonClass({ variant: "secondary" })}
      >
        Try Again
      </Link>
    </div>
  );
}
