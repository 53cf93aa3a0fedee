import { FailureBlock } from "#app/components/failure-block.tsx";
import { failedToLoadBooks } from "./books-failure.ts";

/** Says that books could not be read. */
export function LoadFailure({ message, tryAgainHref }: { message: string; tryAgainHref: string }) {
  return <FailureBlock text={failedToLoadBooks(message)} tryAgainHref={tryAgainHref} />;
}
