import { lazy, Suspense, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import type { Values } from "#app/features/account/account-form.ts";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { AuthTabs } from "#app/features/account/auth-tabs.tsx";
import { readAuthView } from "#app/features/account/auth-view.ts";
import { returnFromSignIn } from "#app/features/account/return-from-sign-in.ts";
import { SignInForm } from "#app/features/account/sign-in-form.tsx";
import { SignUpForm } from "#app/features/account/sign-up-form.tsx";
import { isCodeMissing, serverAcceptsSession } from "#app/features/session/check-session.ts";
import { emailLinkProblem } from "#app/features/session/email-link.ts";
import { useLinkProblem } from "#app/features/session/email-link-store.ts";
import { useSession } from "#app/features/session/session.ts";
import { readReturn } from "#app/features/session/sign-in-return.ts";
import { pageHead } from "#app/features/site/head.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import type { Route } from "./+types/auth.ts";

const TITLES = { "sign-in": "Sign In", "sign-up": "Sign Up", "forgot-password": "Forgot password" };

/** Lazy, because few need it. */
const ForgotPasswordForm = lazy(async () => {
  const { ForgotPasswordForm } = await import("#app/features/account/forgot-password-form.tsx");
  return { default: ForgotPasswordForm };
});

/** Lazy, because only staff need it. */
const CodeStep = lazy(async () => ({
  default: (await import("#app/features/account/code-step.tsx")).CodeStep,
}));

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageHead(matches, {
    title: TITLES[readAuthView(new URLSearchParams(location.search))],
    description: `Sign in to ${currentShop().name}, or create an account to order.`,
    path: "/auth",
  });

export default function Auth() {
  const [search] = useSearchParams();
  const view = readAuthView(search);
  const draft = useRef<Values>({});
  const problem = useLinkProblem();
  const session = useSession();
  const navigate = useNavigate();
  const userId = session.status === "signed-in" ? session.user.id : null;

  /** The page of the back office on which this person's session ended, unless they have come from the shop since. */
  async function officePlace() {
    if (!userId || readReturn()) return null;
    // If its code can't be loaded, the menu still leads there.
    const tab = await import("#app/features/session/office-tab.ts").catch(() => null);
    return tab?.takeOfficePlace(userId) ?? null;
  }

  async function leave() {
    const place = await officePlace();
    if (place) return navigate(place, { replace: true });
    await returnFromSignIn(navigate);
    // If its code can't be loaded, the cart still leads there.
    const offer = await import("#app/features/checkout/offer-checkout.ts").catch(() => null);
    if (userId) offer?.offerCheckout(userId, navigate);
  }

  // The session that still needs the second step, if any.
  const [asked, ask] = useState<string | null>(null);
  const read = async () =>
    (await serverAcceptsSession()) ? ((await isCodeMissing()) ? "code" : "ok") : null;
  useRead(userId, read, {
    onResult: (state) => (state === "code" ? ask(userId) : state && void leave()),
  });

  if (userId && asked === userId)
    return (
      <AccountPage heading="One more step">
        <Suspense>
          <CodeStep onDone={() => void leave()} />
        </Suspense>
      </AccountPage>
    );
  if (view === "forgot-password")
    return (
      <AccountPage heading="Forgot your password?">
        <Suspense>
          <ForgotPasswordForm draft={draft} />
        </Suspense>
      </AccountPage>
    );
  return (
    <AccountPage heading={`Welcome to ${currentShop().name}`}>
      {problem !== null && (
        <div className="mb-6">
          <Callout tone="warning">
            {emailLinkProblem(problem)} If your account is verified, just sign in. If not, sign in and we'll
            offer you a new link.
          </Callout>
        </div>
      )}
      <AuthTabs view={view}>
        {view === "sign-in" ? <SignInForm draft={draft} /> : <SignUpForm draft={draft} />}
      </AuthTabs>
    </AccountPage>
  );
}
