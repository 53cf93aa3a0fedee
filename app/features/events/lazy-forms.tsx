import { type ComponentProps, lazy, Suspense } from "react";

/*
 * Pages that show a form download its code after their own: the list of events has no form to register. The server
 * renders the forms with the page.
 */

const Register = lazy(async () => ({ default: (await import("./register-form.tsx")).RegisterForm }));
const Notify = lazy(async () => ({ default: (await import("./notify-form.tsx")).NotifyForm }));

export function LazyRegisterForm(props: ComponentProps<typeof Register>) {
  return (
    <Suspense>
      <Register {...props} />
    </Suspense>
  );
}

export function LazyNotifyForm() {
  return (
    <Suspense>
      <Notify />
    </Suspense>
  );
}
