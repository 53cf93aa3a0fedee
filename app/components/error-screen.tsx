import { buttonClass } from "./button.tsx";

/** Shown when a screen could not be drawn at all. Works without JavaScript and without the shop's data. */
export function ErrorScreen() {
  return (
    <main className="page flex min-h-[70dvh] flex-col items-start justify-center gap-5 py-16">
      <h1 className="text-32 sm:text-42">Something went wrong on our side</h1>
      <p className="measure">
        The page could not be shown. Nothing you ordered or put in your cart is lost. Please try again in a
        moment.
      </p>
      <a href="/" className={buttonClass({ variant: "primary" })}>
        Return to Home
      </a>
    </main>
  );
}
