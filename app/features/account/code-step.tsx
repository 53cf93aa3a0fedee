import { useRef, useState } from "react";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { getBackend, signOut } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { enterCode, enterRecoveryCode, isWrongCode } from "./second-step.queries.ts";
import { showAccountFailure } from "./show-account-failure.ts";
import { SubmitButton } from "./submit-button.tsx";

const FAILED = "Failed to check the code";
const linkClass = "inline-flex min-h-11 items-center text-15 font-semibold text-green underline";

/** Accepts spaces, which pasted codes often have. */
export const checkCode = (code: string) =>
  /^\d{6}$/.test(code.replaceAll(/\s/g, "")) ? null : "Enter the six digits that your app shows";

/** After the password: the code of the app, or a recovery code. A wrong code stays in its field. */
export function CodeStep({ onDone }: { onDone: () => void }) {
  const [byRecovery, setByRecovery] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { field, formProps, busy, setValues } = useForm({
    fields: { code: "" },
    rules: ({ code }) => ({
      code: byRecovery ? (code.trim() ? null : "Enter one of your recovery codes") : checkCode(code),
    }),
    async send({ code }, _, refuse) {
      try {
        requireConnection();
        const backend = await getBackend();
        await (byRecovery ? enterRecoveryCode(backend, code) : enterCode(backend, code));
        showToast("success", "Welcome back!");
        onDone();
      } catch (error) {
        if (!isWrongCode(error)) return showAccountFailure(FAILED, error);
        logFailure(FAILED, error);
        refuse({
          code: byRecovery
            ? "This recovery code is wrong or has already been used"
            : "This code is wrong or has already been used. Wait for the next one.",
        });
      }
    },
  });

  function swap() {
    setByRecovery(!byRecovery);
    setValues({ code: "" });
    input.current?.focus();
  }

  return (
    <form {...formProps} method="post" className="grid gap-5">
      {byRecovery ? (
        <InputField
          {...field("code")}
          ref={input}
          label="Recovery code"
          hint="One of the ten that you saved when you set this up. Each works once."
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
        />
      ) : (
        <InputField
          {...field("code")}
          ref={input}
          label="6-digit code from your app"
          required
          autoFocus
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
        />
      )}
      <SubmitButton busy={busy} busyLabel="Checking…">
        Continue
      </SubmitButton>
      <div className="flex flex-wrap justify-between gap-x-6">
        <button type="button" className={linkClass} onClick={swap}>
          {byRecovery ? "Use a code from your app" : "Use a recovery code"}
        </button>
        <button type="button" className={linkClass} onClick={() => void signOut()}>
          Sign Out
        </button>
      </div>
      <p className="text-15 text-muted">
        No phone and no recovery code? Ask an admin of the shop to remove your second step.
      </p>
    </form>
  );
}
