import { lazy, Suspense, useRef } from "react";
import { useNavigate } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import type { Values } from "#app/features/account/account-form.ts";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { ForgotPasswordForm } from "#app/features/account/forgot-password-form.tsx";
import { NewPasswordForm } from "#app/features/account/new-password-form.tsx";
import { isCodeMissing } from "#app/features/session/check-session.ts";
import { emailLinkProblem } from "#app/features/session/email-link.ts";
import { useLinkProblem } from "#app/features/session/email-link-store.ts";
import { endRecovery, useRecovery } from "#app/features/session/recovery.ts";
import { useSession } from "#app/features/session/session.ts";
import { privateHead } from "#app/features/site/head.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import type { Route } from "./+types/reset-password.ts";

/** Lazy, because only staff need it. */
const CodeStep = lazy(async () => ({
  default: (await import("#app/features/account/code-step.tsx")).CodeStep,
}));

export const meta: Route.MetaFunction = () => privateHead("Choose a new password");

export default function ResetPassword() {
  return (
    <AccountPage heading="Choose a new password">
      <ResetSteps />
    </AccountPage>
  );
}

/** Only a customer who has just followed a password email's link can set a password; others can request the email. */
function ResetSteps() {
  const session = useSession();
  const recovering = useRecovery();
  const problem = useLinkProblem();
  const draft = useRef<Values>({});
  const navigate = useNavigate();

  const userId = session.status === "signed-in" ? session.user.id : null;
  const step = useRead(userId, isCodeMissing);

  if (session.status === "unknown") return <Skeleton className="h-48" />;
  if (session.status === "signed-in" && session.user.id === recovering) {
    if (step.status === "loading") return <Skeleton className="h-48" />;
    if (step.result)
      return (
        <Suspense>
          <CodeStep onDone={() => step.set(false)} />
        </Suspense>
      );
    return (
      <NewPasswordForm
        email={session.user.email}
        onChanged={() => {
          endRecovery();
          showToast("success", "Your new password has been saved.");
          void navigate("/shop", { replace: true });
        }}
      />
    );
  }
  return (
    <div className="grid gap-6">
      <Callout tone="warning">
        {problem === null ? "Open this page from the link in our email." : emailLinkProblem(problem)} You can
        request a new link here.
      </Callout>
      <ForgotPasswordForm draft={draft} />
    </div>
  );
}
