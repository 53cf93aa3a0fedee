import { useRef } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { type FieldErrors, useForm } from "#app/components/use-form.ts";
import { findOwnProfile } from "#app/features/account/profile.queries.ts";
import { cart } from "#app/features/cart/use-cart.ts";
import { DataNote } from "#app/features/law/data-note.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { CHOSEN_METHODS, type DeliveryMethod, feesNameRegions } from "#shared/orders/delivery.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { isPhone, PHONE_MALFORMED } from "#shared/text/phone.ts";
import { requestQuote } from "./quote.queries.ts";
import { QuoteDeliveryFields } from "./quote-delivery-fields.tsx";

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
type Typed = Record<FieldName | "message" | "region", string> & { delivery_method: DeliveryMethod };

const EMPTY: Typed = {
  institution: "",
  contactName: "",
  email: "",
  phone: "",
  message: "",
  delivery_method: "deliver",
  region: "",
};

/** The first problem. */
function findErrors(typed: Typed): FieldErrors<Typed> {
  const missing = fields.find(({ name }) => !typed[name].trim());
  if (missing) return { [missing.name]: `Please fill in ${missing.label.toLowerCase()}` };
  if (!isEmail(typed.email.trim())) return { email: EMAIL_MALFORMED };
  if (!isPhone(typed.phone)) return { phone: PHONE_MALFORMED };
  return !typed.region && feesNameRegions(currentShop().deliveryFees, typed.delivery_method)
    ? { region: "Please choose a region" }
    : {};
}

type RequestQuoteFormProps = {
  userId: string;
  /** Whether everything in the cart is digital. */
  downloaded: boolean;
};

/** Requests a quote for the cart, then opens the quote's page. */
export function RequestQuoteForm({ userId, downloaded }: RequestQuoteFormProps) {
  const navigate = useNavigate();
  // The same for every attempt, so that a retry does not request a second quote.
  const id = useRef("");

  const { busy, values, setValues, change, field, formProps } = useForm({
    fields: EMPTY,
    rules: (typed) => findErrors(downloaded ? { ...typed, delivery_method: "collect" } : typed),
    onInvalid: (errors) => showToast("error", Object.values(errors).join()),
    async send(typed) {
      try {
        id.current ||= newUuid();
        await cart.settled();
        await requestQuote(await getBackend(), { id: id.current, ...typed });
        showToast("success", "Quote requested", { description: "You'll find our offer on this page." });
        await navigate(`/quotes/${id.current}`);
      } catch (error) {
        logFailure(FAILED, error);
        showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      }
    },
  });

  useRead(userId, async () => findOwnProfile(await getBackend(), userId), {
    onResult(profile) {
      if (!profile) return;
      setValues((now) => ({
        ...now,
        contactName: now.contactName || (profile.full_name ?? ""),
        email: now.email || (profile.email ?? ""),
        phone: now.phone || (profile.phone ?? ""),
        ...(now.region === "" &&
          now.delivery_method === "deliver" && {
            region: profile.region ?? "",
            delivery_method:
              CHOSEN_METHODS.find((method) => method === profile.delivery_method) ?? now.delivery_method,
          }),
      }));
    },
    onFailure: (error) => logFailure("Failed to read the profile", error),
  });

  return (
    <form {...formProps} aria-labelledby="quote-contact">
      <h2 id="quote-contact" className="text-25">
        Who is it for?
      </h2>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        {fields.map(({ name, label, type, autoComplete, length }) => (
          <InputField
            key={name}
            label={label}
            type={type}
            autoComplete={autoComplete}
            required
            maxLength={length}
            {...field(name)}
          />
        ))}
        {!downloaded && (
          <QuoteDeliveryFields
            method={values.delivery_method}
            region={values.region}
            regionError={field("region").error}
            onMethod={(method) => change("delivery_method", method)}
            onRegion={(region) => change("region", region)}
          />
        )}
        <TextareaField
          className="sm:col-span-2"
          label="Message (optional)"
          maxLength={2000}
          hint="Deadlines, delivery dates, other titles you need."
          {...field("message")}
        />
      </div>
      <DataNote className="mt-5">
        We use these details to prepare your quote and to reach you about it.
      </DataNote>
      <Button type="submit" size="large" busy={busy} className="mt-6 w-full sm:w-auto">
        {busy ? "Sending…" : "Request Quote"}
      </Button>
    </form>
  );
}
