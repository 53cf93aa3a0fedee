import { useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { DataNote } from "#app/features/law/data-note.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { type RegistrationAnswer, registerForEvent, type TypedRegistration } from "./events.queries.ts";
import { EMPTY_REGISTRATION, findRegistrationErrors, registrationFields } from "./registration-fields.ts";

const FAILED = "Failed to register";

/** Registers for an event, or for its waiting list when it is full. */
export function RegisterForm({ slug, isFull }: { slug: string; isFull: boolean }) {
  const [answer, setAnswer] = useState<(RegistrationAnswer & { email: string }) | null>(null);
  // The same for every attempt, so that a retry takes no second place.
  const id = useRef("");
  const { busy, field, formProps } = useForm<TypedRegistration>({
    fields: EMPTY_REGISTRATION,
    rules: findRegistrationErrors,
    async send(typed) {
      try {
        id.current ||= newUuid();
        const found = await registerForEvent(await getBackend(), { id: id.current, slug, typed });
        setAnswer({ ...found, email: typed.email.trim() });
      } catch (error) {
        logFailure(FAILED, error);
        showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      }
    },
  });
  if (answer) return <Answer {...answer} />;
  return (
    // Without JavaScript, this method does nothing and keeps the input out of URLs and logs.
    <form method="dialog" {...formProps} aria-labelledby="register">
      <div className="grid gap-5 sm:grid-cols-2">
        {registrationFields.map(({ name, label, type, autoComplete, length, required }) => (
          <InputField
            key={name}
            label={label}
            type={type}
            autoComplete={autoComplete}
            maxLength={length}
            required={required}
            {...field(name)}
          />
        ))}
      </div>
      <DataNote className="mt-4">
        An email address or a phone number is enough. With an email address you get a confirmation, and a link
        to cancel. We use these details for this event only.
      </DataNote>
      <Button type="submit" size="large" busy={busy} className="mt-5 w-full sm:w-auto noscript:hidden">
        {busy ? "Sending…" : isFull ? "Join Waiting List" : "Register"}
      </Button>
      <p className="mt-5 hidden noscript:block">
        This form needs JavaScript. Please call us, and we'll register you.
      </p>
    </form>
  );
}

function Answer({ email, ...answer }: RegistrationAnswer & { email: string }) {
  const confirmation = email && (
    <>
      {" "}
      We're sending a confirmation to <bdi className="wrap-anywhere">{email}</bdi>.
    </>
  );
  return (
    <Callout tone={answer.state === "registered" ? "success" : "information"} scrollsIntoView>
      {answer.state === "registered" ? (
        <p>
          <strong>You have a place.</strong>
          {confirmation} If you can't come, please {email ? "use the link in it" : "call us"}, so that someone
          else gets your place.
        </p>
      ) : (
        <p>
          <strong>You're number {answer.waiting_before + 1} on the waiting list.</strong>
          {confirmation} If a place becomes free for you, we'll {email ? "email" : "call"} you.
        </p>
      )}
    </Callout>
  );
}
