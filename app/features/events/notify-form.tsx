import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { DataNote } from "#app/features/law/data-note.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { subscribeToEvents } from "./events.queries.ts";

const FIELD_ID = "notify-email";
const FAILED = "Failed to send your address";

/** Asks for an email about each new event. The response is the same for an address that is already on the list. */
export function NotifyForm() {
  const [asked, setAsked] = useState<string | null>(null);
  // The button Get Notified leads to /contact?about=events.
  useOnLocation(({ search }) => {
    const isLinkTarget = new URLSearchParams(search).get("about") === "events";
    // On a slow connection the visitor may already be writing.
    if (isLinkTarget && document.activeElement === document.body) document.getElementById(FIELD_ID)?.focus();
  });
  const { busy, field, formProps } = useForm({
    fields: { email: "" },
    rules: ({ email }) => ({ email: isEmail(email.trim()) ? null : EMAIL_MALFORMED }),
    async send({ email }) {
      try {
        await subscribeToEvents(await getBackend(), email.trim());
        setAsked(email.trim());
      } catch (error) {
        logFailure(FAILED, error);
        showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      }
    },
  });
  if (asked !== null)
    return (
      <Callout tone="success" scrollsIntoView>
        <p className="wrap-anywhere">
          Please check your inbox at <bdi>{asked}</bdi> and click the link in our email to join the list. If
          you're already on it, there's nothing more to do.
        </p>
      </Callout>
    );
  return (
    // Without JavaScript, this method does nothing and keeps the input out of URLs and logs.
    <form method="dialog" {...formProps}>
      <div className="flex flex-wrap items-end gap-3">
        <InputField
          id={FIELD_ID}
          label="Your email"
          type="email"
          autoComplete="email"
          required
          maxLength={320}
          className="min-w-0 flex-[1_1_16rem]"
          {...field("email")}
        />
        <Button type="submit" busy={busy} className="min-h-12 noscript:hidden">
          {busy ? "Sending…" : "Notify Me"}
        </Button>
      </div>
      <p className="mt-2 hidden noscript:block">
        This form needs JavaScript. Please call us or send an email.
      </p>
      <DataNote className="mt-3">
        We use it for emails about new events, and nothing else. Every email has an unsubscribe link.
      </DataNote>
    </form>
  );
}
