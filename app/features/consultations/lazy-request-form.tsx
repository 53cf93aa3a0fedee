import { lazy, Suspense } from "react";

const Form = lazy(async () => ({ default: (await import("./request-form.tsx")).RequestForm }));

/** The form's code is downloaded after the page's own; the server renders the form with the page. */
export function LazyRequestForm() {
  return (
    <Suspense>
      <Form />
    </Suspense>
  );
}
