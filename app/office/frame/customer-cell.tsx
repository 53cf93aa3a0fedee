import { EmailText } from "#app/components/email-text.tsx";
import { writtenPhone } from "#shared/text/phone.ts";
import { OfficeLink } from "./duties.tsx";

type CustomerCellProps = {
  name: string | null;
  email: string | null;
  phone?: string | null;
  /** Of an account, whose page the name then opens for staff who may. */
  userId?: string | null;
};

/** A customer in a row of a list: the name above email and phone. N/A stands for a name, and where neither of the two is known. */
export function CustomerCell({ name, email, phone, userId }: CustomerCellProps) {
  return (
    <div className="min-w-0">
      <p className="font-semibold wrap-anywhere">
        {userId ? (
          <OfficeLink
            to={`/admin/users/${userId}`}
            className="-my-2.5 inline-flex min-h-11 items-center underline hover:text-green @4xl:my-0 @4xl:min-h-6"
          >
            <bdi>{name || "N/A"}</bdi>
          </OfficeLink>
        ) : (
          name || "N/A"
        )}
      </p>
      {(email || !phone) && (
        <p className="text-13 text-muted">
          <EmailText address={email} />
        </p>
      )}
      {phone && <p className="figures text-13 text-muted">{writtenPhone(phone)}</p>}
    </div>
  );
}
