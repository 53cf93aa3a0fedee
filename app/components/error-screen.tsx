import { buttonClass } from "./button.tsx";

/** Shown when a page could not be rendered at all. Works without JavaScript and without the shop's data. */
export function ErrorScreen() {
  return (
    <div className="page flex min-h-[70dvh] flex-col items-start justify-center gap-5 py-16">
      <h1 className="text-32 sm:text-42">Something went wrong on our side</h1>
      <p className="measure">
        We couldn't show this page. Your orders and your cart are safe. Please try again in a moment.
      </p>
      {/* The server writes the request's id here; React, which does not know it, leaves it as it is. */}
      <p
        id="error-reference"
        className="text-14 text-muted"
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: constant text
        dangerouslySetInnerHTML={{ __html: "" }}
      />
      <a href="/" className={buttonClass({ variant: "primary" })}>
        Return to Home
      </a>
    </div>
  );
}
