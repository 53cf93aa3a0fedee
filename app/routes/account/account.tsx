import { lazy, type ReactNode, Suspense, useId } from "react";
import { Button } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { ChangeEmailForm } from "#app/features/account/change-email-form.tsx";
import { ChangePasswordForm } from "#app/features/account/change-password-form.tsx";
import { CloseAccountForm } from "#app/features/account/close-account-form.tsx";
import { DetailsForm, PROFILE_COPY } from "#app/features/account/details-form.tsx";
import { OwnDataActions } from "#app/features/account/own-data-actions.tsx";
import { findOwnProfile } from "#app/features/account/profile.queries.ts";
import { OwnConsultations } from "#app/features/consultations/own-consultations.tsx";
import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { pageHead } from "#app/features/site/head.ts";
import { AwaitedBooks } from "#app/features/stock-alerts/awaited-books.tsx";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import type { Route } from "./+types/account.ts";

/** Lazy, because it is far down the page, and mostly for staff. */
const SignInSecurity = lazy(async () => ({
  default: (await import("#app/features/account/sign-in-security.tsx")).SignInSecurity,
}));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "My Account",
    description: "Your name, address, email and password.",
    path: "/account",
  });

export default function Account() {
  const user = useRequireMember();
  const userId = user?.id ?? "";
  const readProfile = () =>
    readOrSaved(PROFILE_COPY, userId, async () => findOwnProfile(await getBackend(), userId));
  const read = useRead(userId || null, readProfile, {
    onFailure: (error) => logFailure("Failed to read the profile", error),
  });
  return (
    <div className="page max-w-3xl pt-8 pb-16 sm:pt-12 sm:pb-24">
      <h1 className="text-32 sm:text-42">My Account</h1>
      <NeedsJavaScript />
      <SavedNote list={PROFILE_COPY} isInPage onTryAgain={() => window.location.reload()} className="mt-6" />
      <Section title="Details">
        {read.status === "loading" && <Skeleton className="h-[44rem] sm:h-[34rem]" />}
        {read.status === "failed" && (
          <LoadFailed text="We couldn't load your details." onTryAgain={read.retry} />
        )}
        {user && read.result && <DetailsForm key={user.id} userId={user.id} profile={read.result} />}
      </Section>
      <Section title="Books you're waiting for">{user && <AwaitedBooks userId={user.id} />}</Section>
      <Section title="Your consultations">{user && <OwnConsultations userId={user.id} />}</Section>
      <Section title="Sign-in and security">
        {user && (
          <Suspense fallback={<Skeleton className="h-48" />}>
            <SignInSecurity key={user.id} userId={user.id} />
          </Suspense>
        )}
      </Section>
      <div className="mt-10 border-b border-line">
        <FoldedSection title="Email">{user && <ChangeEmailForm email={user.email} />}</FoldedSection>
        <FoldedSection title="Password">
          {user && (
            <ChangePasswordForm email={user.email} onDone={() => undefined}>
              {(busy) => (
                <Button type="submit" variant="secondary" busy={busy} className="sm:justify-self-start">
                  {busy ? "Saving…" : "Change Password"}
                </Button>
              )}
            </ChangePasswordForm>
          )}
        </FoldedSection>
        <FoldedSection title="Your data and devices">{user && <OwnDataActions />}</FoldedSection>
        <FoldedSection title="Close your account">
          {user && <CloseAccountForm email={user.email} />}
        </FoldedSection>
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10 border-t border-line pt-6">
      <h2 id={id} className="mb-5 text-25">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A collapsed section for rarely used forms. */
function FoldedSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line">
      <details className="group">
        <summary className="flex min-h-14 list-none items-center justify-between gap-4 [&::-webkit-details-marker]:hidden">
          <h2 id={id} className="text-20">
            {title}
          </h2>
          <Icon name="chevron-down" className="group-open:rotate-180" />
        </summary>
        <div className="pt-2 pb-8">{children}</div>
      </details>
    </section>
  );
}
