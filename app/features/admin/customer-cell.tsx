import { EmailText } from "#app/components/email-text.tsx";

/** A customer in a row of a list: the name above the email, each N/A when missing. */
export function CustomerCell({ name, email }: { name: string | null; email: string | null }) {
  return (
    <div className="min-w-0">
      <p className="font-semibold wrap-anywhere">{name || "N/A"}</p>
      <p className="text-13 text-muted">
        <EmailText address={email} />
      </p>
    </div>
  );
}
