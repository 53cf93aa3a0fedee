import { useEffect, useRef } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import type { Values } from "#app/features/accounts/account-form.ts";
import { AccountPage } from "#app/features/accounts/account-page.tsx";
import { AuthTabs } from "#app/features/accounts/auth-tabs.tsx";
import { readAuthView } from "#app/features/accounts/auth-view.ts";
import { ForgotPasswordForm } from "#app/features/accounts/forgot-password-form.tsx";
import { SignInForm } from "#app/features/accounts/sign-in-form.tsx";
import { SignUpForm } from "#app/features/accounts/sign-up-form.tsx";
import { mailLinkProblem } from "#app/features/session/mail-link.ts";
import { getBackend, useLinkProblem, useSession } from "#app/features/session/session-store.ts";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/auth.ts";

const TITLES = { "sign-in": "Sign In", "sign-up": "Sign Up", "forgot-password": "Forgot password" };

export const meta: Route.MetaFunction = ({ location }) => [
  { title: `${TITLES[readAuthView(new URLSearchParams(location.search))]} | ${shop.name}` },
  { name: "description", content: `Sign in to ${shop.name}, or open an account to order.` },
];

export default function Auth() {
  const [search] = useSearchParams();
  const view = readAuthView(search);
  const draft = useRef<Values>({});
  const problem = useLinkProblem();
  const signedIn = useSession().status === "signed-in";
  const navigate = useNavigate();
  useEffect(() => {
    // Fetched while somebody types. Without a connection the form says so when it is sent.
    getBackend().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (signedIn) void navigate("/shop", { replace: true });
  }, [signedIn, navigate]);

  if (view === "forgot-password")
    return (
      <AccountPage heading="Forgot your password?">
        <ForgotPasswordForm draft={draft} />
      </AccountPage>
    );
  return (
    <AccountPage heading={`Welcome to ${shop.name}`}>
      {problem !== null && (
        <div className="mb-6">
          <Callout tone="warning">
            {mailLinkProblem(problem)} If your account is verified, just sign in. If it is not, signing in
            offers you a new link.
          </Callout>
        </div>
      )}
      <AuthTabs view={view}>
        {view === "sign-in" ? <SignInForm draft={draft} /> : <SignUpForm draft={draft} />}
      </AuthTabs>
    </AccountPage>
  );
}
