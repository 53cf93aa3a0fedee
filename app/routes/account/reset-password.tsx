import { useRef } from "react";
import { useNavigate } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import type { Values } from "#app/features/accounts/account-form.ts";
import { AccountPage } from "#app/features/accounts/account-page.tsx";
import { ForgotPasswordForm } from "#app/features/accounts/forgot-password-form.tsx";
import { NewPasswordForm } from "#app/features/accounts/new-password-form.tsx";
import { mailLinkProblem } from "#app/features/session/mail-link.ts";
import { endRecovery, useRecovery } from "#app/features/session/recovery.ts";
import { useLinkProblem, useSession } from "#app/features/session/session-store.ts";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/reset-password.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Choose a new password | ${shop.name}` },
  { name: "robots", content: "noindex" },
];

export default function ResetPassword() {
  return (
    <AccountPage heading="Choose a new password">
      <ResetSteps />
    </AccountPage>
  );
}

/** Only who has just followed the link of a password mail sets a password here; everybody else asks for the mail. */
function ResetSteps() {
  const session = useSession();
  const recovering = useRecovery();
  const problem = useLinkProblem();
  const draft = useRef<Values>({});
  const navigate = useNavigate();

  if (session.status === "unknown") return <Skeleton className="h-48" />;
  if (session.status === "signed-in" && session.user.id === recovering)
    return (
      <NewPasswordForm
        email={session.user.email}
        onChanged={() => {
          endRecovery();
          showToast("success", "Your new password is saved.");
          void navigate("/shop", { replace: true });
        }}
      />
    );
  return (
    <div className="grid gap-6">
      <Callout tone="warning">
        {problem === null ? "This page opens from the link in our mail." : mailLinkProblem(problem)} You can
        have a new link sent to you here.
      </Callout>
      <ForgotPasswordForm draft={draft} />
    </div>
  );
}
