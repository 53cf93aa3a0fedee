import { useDeferredValue, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { ResultList } from "#app/office/frame/result-list.tsx";
import { writtenPhone } from "#shared/text/phone.ts";
import { type Caller, findCallers } from "./caller.admin-queries.ts";

type CallerChoiceProps = {
  caller: Caller | null;
  /** Whether it works only for customers with an account. */
  isRequired?: boolean;
  label?: string;
  onChoose: (caller: Caller | null) => void;
};

/** Finds the account of a customer on the phone, who may have none. */
export function CallerChoice({
  caller,
  isRequired = false,
  label = "Customer's account",
  onChoose,
}: CallerChoiceProps) {
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim());
  const found = useAdminQuery(["users", "callers", q], (client) => findCallers(client, q), {
    enabled: q.length >= 3,
    keepPrevious: true,
  });
  const failure = readFailure("users", found);
  const callers = q.length >= 3 ? (found.data ?? []) : [];
  if (caller)
    return (
      <section aria-label="Customer" className="flex flex-wrap items-center gap-4">
        <p>
          Customer: <strong className="wrap-anywhere">{caller.full_name || caller.email || "Unnamed"}</strong>
        </p>
        <Button variant="secondary" size="small" onClick={() => onChoose(null)}>
          Change
        </Button>
      </section>
    );
  return (
    <section aria-label="Customer">
      <InputField
        label={isRequired ? label : `${label} (optional)`}
        type="search"
        autoComplete="off"
        hint={`Search by name, email or phone.${isRequired ? "" : " Leave this empty if they have no account."}`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {failure && <RetryNote {...failure} />}
      {q.length >= 3 && found.data?.length === 0 && <p className="mt-2 text-muted">No account matches.</p>}
      <ResultList
        label="Accounts found"
        items={callers}
        describe={(one) => (
          <>
            {one.full_name || "Not provided"}
            <span className="block text-13 text-muted">
              {[one.email, one.phone && writtenPhone(one.phone)].filter(Boolean).join(", ")}
            </span>
          </>
        )}
        action={(one) => (
          <Button
            variant="secondary"
            size="small"
            aria-label={`Choose ${[one.full_name, one.email].filter(Boolean).join(", ")}`}
            onClick={() => onChoose(one)}
          >
            Choose
          </Button>
        )}
      />
    </section>
  );
}
