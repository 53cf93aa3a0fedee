import { EmailText } from "#app/components/email-text.tsx";
import { writtenPhone } from "#shared/text/phone.ts";

type CustomerCellProps = { name: string | null; email: string | null; phone?: string | null };

/** A customer in a row of a list: the name above email and phone. N/A stands for a name, and where neither of the two is known. */
export function CustomerCell({ name, email, phone }: CustomerCellProps) {
  return (
    <div className="min-w-0">
      <p className="font-semibold wrap-anywhere">{name || "N/A"}</p>
      {(email || !phone) && (
        <p className="text-13 text-muted">
          <EmailText address={email} />
        </p>
      )}
      {phone && <p className="figures text-13 text-muted">{writtenPhone(phone)}</p>}
    </div>
  );
}
