import { useState } from "react";
import { InputField, SelectField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { DataNote, LawLink } from "#app/features/law/data-note.tsx";
import { terms } from "#app/features/law/law-pages.ts";
import { createAccount } from "./account.queries.ts";
import { checkNewPassword, type FieldErrors, type Values } from "./account-form.ts";
import { COUNTRY_CODES, HOME_COUNTRY } from "./country-codes.ts";
import { EmailField } from "./email-field.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { composePhone, isDiallable } from "./phone.ts";
import { SubmitButton } from "./submit-button.tsx";
import { type Draft, useAccountForm } from "./use-account-form.ts";
import { VerificationNotice } from "./verification-notice.tsx";

/** Requests an account without signing in: the link in the verification email does that. */
export function SignUpForm({ draft }: { draft: Draft }) {
  const [signedUp, setSignedUp] = useState<string[]>([]);
  const newest = signedUp.at(-1);
  const { errors, busy, formProps } = useAccountForm({
    fields: ["fullName", "email", "password", "countryCode", "phone"],
    draft,
    check: checkSignUp,
    send: (backend, { fullName, email, password, countryCode, phone }) =>
      createAccount(
        backend,
        { email, password, fullName, phone: composePhone(countryCode, phone) },
        window.location.origin,
      ),
    failure: "Sign-up failed",
    onDone: ({ email }) => {
      showToast("success", "Account created! Please check your email to verify your account.");
      setSignedUp([...signedUp, email]);
      // Prefills the sign-in form for after the verification.
      draft.current = { email };
    },
  });
  return (
    <form {...formProps} className="grid gap-5">
      {newest && <VerificationNotice key={signedUp.length} email={newest} reason="signed-up" />}
      {/* The form is emptied after each sign-up. */}
      <SignUpFields key={`after-${signedUp.length}`} typed={newest ? {} : draft.current} errors={errors} />
      <DataNote>
        For your account and your orders. By signing up you accept our <LawLink page={terms} />.
      </DataNote>
      <SubmitButton busy={busy} busyLabel="Creating your account…">
        Sign Up
      </SubmitButton>
    </form>
  );
}

function SignUpFields({ typed, errors }: { typed: Values; errors: FieldErrors }) {
  return (
    <>
      <InputField
        label="Full Name"
        name="fullName"
        required
        maxLength={200}
        autoComplete="name"
        defaultValue={typed.fullName}
        error={errors.fullName}
      />
      <EmailField defaultValue={typed.email} error={errors.email} autoComplete="email" />
      <NewPasswordField label="Password" error={errors.password} />
      <div className="grid grid-cols-[10.25rem_minmax(0,1fr)] gap-3">
        <SelectField
          label="Country Code"
          name="countryCode"
          required
          autoComplete="tel-country-code"
          defaultValue={typed.countryCode ?? HOME_COUNTRY}
          error={errors.countryCode}
        >
          {COUNTRY_CODES.map(([country, callingCode]) => (
            <option key={country} value={country}>
              {callingCode} {country}
            </option>
          ))}
        </SelectField>
        <InputField
          label="Phone Number"
          name="phone"
          type="tel"
          required
          maxLength={30}
          autoComplete="tel-national"
          defaultValue={typed.phone}
          error={errors.phone}
        />
      </div>
    </>
  );
}

function checkSignUp({ password, countryCode, phone }: Required<Values>): FieldErrors {
  const errors: FieldErrors = {};
  const tooShort = checkNewPassword(password);
  if (tooShort) errors.password = tooShort;
  if (!isDiallable(composePhone(countryCode, phone))) errors.phone = "Please enter a valid phone number.";
  return errors;
}
