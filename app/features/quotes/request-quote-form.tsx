import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { focusField } from "#app/components/focus-field.ts";
import { showToast } from "#app/components/toast.ts";
import { findOwnProfile } from "#app/features/account/profile.queries.ts";
import { cart } from "#app/features/cart/use-cart.ts";
import { isPhone, PHONE_MALFORMED } from "#app/features/delivery/phone.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { EMAIL_MALFORMED, isEmail } from "#app/lib/email.ts";
import { customerMessage, logFailure } from "#app/lib/failure-message.ts";
import { newUuid } from "#app/lib/new-uuid.ts";
import { useRead } from "#app/lib/use-read.ts";
import { requestQuote } from "./quote.queries.ts";

const FAILED = "Failed to request the quote";

/** `length` is the database's limit. */
const fields = [
  {
    name: "institution",
    label: "School or institution",
    type: "text",
    autoComplete: "organization",
    length: 200,
  },
  { name: "contactName", label: "Contact person", type: "text", autoComplete: "name", length: 200 },
  { name: "email", label: "Email", type: "email", autoComplete: "email", length: 320 },
  { name: "phone", label: "Phone", type: "tel", autoComplete: "tel", length: 40 },
] as const;

type FieldName = (typeof fields)[number]["name"];
type Typed = Record<FieldName | "message", string>;
type Problem = { field: FieldName; message: string };

function findProblem(typed: Typed): Problem | null {
  const missing = fields.find(({ name }) => !typed[name].trim());
  if (missing) return { field: missing.name, message: `Please fill in ${missing.label.toLowerCase()}` };
  if (!isEmail(typed.email.trim())) return { field: "email", message: EMAIL_MALFORMED };
  if (!isPhone(typed.phone)) return { field: "phone", message: PHONE_MALFORMED };
  return null;
}

/** Requests a quote for the cart, then opens the quote's page. */
export function RequestQuoteForm({ userId }: { userId: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState<Typed>({
    institution: "",
    contactName: "",
    email: "",
    phone: "",
    message: "",
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  // The same for every attempt, so that a retry does not request a second quote.
  const id = useRef("");

  useRead(userId, async () => findOwnProfile(await getBackend(), userId), {
    onResult(profile) {
      if (!profile) return;
      setTyped((now) => ({
        ...now,
        contactName: now.contactName || (profile.full_name ?? ""),
        email: now.email || (profile.email ?? ""),
        phone: now.phone || (profile.phone ?? ""),
      }));
    },
    onFailure: (error) => logFailure("Failed to read the profile", error),
  });

  function change(name: keyof Typed, value: string) {
    setTyped((now) => ({ ...now, [name]: value }));
    if (problem?.field === name) setProblem(null);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const found = findProblem(typed);
    setProblem(found);
    if (found) {
      showToast("error", found.message);
      focusField(event.currentTarget, found.field);
      return;
    }
    setBusy(true);
    try {
      id.current ||= newUuid();
      await cart.settled();
      await requestQuote(await getBackend(), { id: id.current, ...typed });
      showToast("success", "Quote requested", { description: "You'll find our offer on this page." });
      await navigate(`/quotes/${id.current}`);
    } catch (error) {
      logFailure(FAILED, error);
      showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-labelledby="quote-contact">
      <h2 id="quote-contact" className="text-25">
        Who is it for?
      </h2>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        {fields.map(({ name, label, type, autoComplete, length }) => (
          <InputField
            key={name}
            label={label}
            name={name}
            type={type}
            autoComplete={autoComplete}
            required
            maxLength={length}
            value={typed[name]}
            error={problem?.field === name ? problem.message : null}
            onChange={({ target }) => change(name, target.value)}
          />
        ))}
        <TextareaField
          className="sm:col-span-2"
          label="Message (optional)"
          name="message"
          maxLength={2000}
          hint="Deadlines, delivery dates, other titles you need."
          value={typed.message}
          onChange={({ target }) => change("message", target.value)}
        />
      </div>
      <Button type="submit" size="large" busy={busy} className="mt-6 w-full sm:w-auto">
        {busy ? "Sending…" : "Request Quote"}
      </Button>
    </form>
  );
}
