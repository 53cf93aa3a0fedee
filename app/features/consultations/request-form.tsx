import { useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { findOwnProfile } from "#app/features/account/profile.queries.ts";
import { DataNote } from "#app/features/law/data-note.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { useSessionUser } from "#app/features/session/session.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { requestConsultation } from "./consultation.queries.ts";
import {
  ABOUT_LENGTH,
  EMPTY_CONSULTATION,
  findRequestErrors,
  requestFields,
  type TypedConsultation,
} from "./request-fields.ts";

const FAILED = "Failed to send the request";

/** Asks for a consultation, signed in or not. */
export function RequestForm() {
  const [sent, setSent] = useState<TypedConsultation | null>(null);
  const userId = useSessionUser()?.id ?? null;
  // The same for every attempt, so that a retry asks only once.
  const id = useRef("");
  const { busy, field, setValues, formProps } = useForm<TypedConsultation>({
    fields: EMPTY_CONSULTATION,
    rules: findRequestErrors,
    async send(typed) {
      try {
        id.current ||= newUuid();
        await requestConsultation(await getBackend(), id.current, typed);
        setSent(typed);
      } catch (error) {
        logFailure(FAILED, error);
        showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      }
    },
  });
  useRead(userId, async () => findOwnProfile(await getBackend(), userId ?? ""), {
    onResult(profile) {
      if (!profile) return;
      setValues((now) => ({
        ...now,
        name: now.name || (profile.full_name ?? ""),
        email: now.email || (profile.email ?? ""),
        phone: now.phone || (profile.phone ?? ""),
      }));
    },
    onFailure: (error) => logFailure("Failed to read the profile", error),
  });
  if (sent) return <Sent to={sent} isMember={userId !== null} />;
  return (
    // Without JavaScript, this method does nothing and keeps the input out of URLs and logs.
    <form method="dialog" {...formProps} aria-labelledby="consultation">
      <div className="grid gap-5 sm:grid-cols-2">
        {requestFields.map(({ name, label, type, autoComplete, length, required }) => (
          <InputField
            key={name}
            label={label}
            type={type}
            autoComplete={autoComplete}
            maxLength={length}
            required={required}
            className={name === "wishedDays" ? "sm:col-span-2" : undefined}
            {...field(name)}
          />
        ))}
        <TextareaField
          label="What it is about"
          required
          maxLength={ABOUT_LENGTH}
          hint="The curriculum, how many pupils, your budget, what you use now."
          className="sm:col-span-2"
          {...field("about")}
        />
      </div>
      <DataNote className="mt-4">
        An email address or a phone number is enough. We use these details to advise you and to agree on a
        day.
      </DataNote>
      <Button type="submit" size="large" busy={busy} className="mt-5 w-full sm:w-auto noscript:hidden">
        {busy ? "Sending…" : "Send Request"}
      </Button>
      <p className="mt-5 hidden noscript:block">
        This form needs JavaScript. Please call us, message us on WhatsApp or send an email.
      </p>
    </form>
  );
}

function Sent({ to, isMember }: { to: TypedConsultation; isMember: boolean }) {
  const email = to.email.trim();
  return (
    <Callout tone="success" scrollsIntoView>
      <p>
        <strong>We've received your request.</strong> One of our advisers will{" "}
        {email ? (
          <>
            write to <bdi className="wrap-anywhere">{email}</bdi>
          </>
        ) : (
          "call you"
        )}
        .{isMember && " You'll find our answer under My Account, too."}
      </p>
    </Callout>
  );
}
