import { type FormEvent, type RefObject, useRef, useState } from "react";
import { showToast } from "#app/components/toast.ts";
import { forgetLinkProblem, getBackend } from "#app/features/session/session-store.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import {
  EMAIL_MALFORMED,
  FILL_IN_ALL,
  type FieldErrors,
  type FieldName,
  findMissing,
  type Values,
} from "./account-form.ts";
import { logProviderFailure, type ProviderError, providerMessage } from "./provider-failure.ts";

/** What was typed in the forms of one page, so that changing between them loses nothing. Passwords are not kept. */
export type Draft = RefObject<Values>;

type AccountForm = {
  /** The fields in their order; all are required. */
  fields: readonly FieldName[];
  draft?: Draft;
  /** Further checks before anything is sent. */
  check?: (values: Required<Values>) => FieldErrors;
  /** Makes the call; answers the provider's refusal, or null when it worked. */
  send: (backend: BackendClient, values: Required<Values>) => Promise<ProviderError | null>;
  /** What a failure is called in the log. */
  failure: string;
  onDone: (values: Required<Values>, form: HTMLFormElement) => void;
  /** Sees a refusal before it is shown; answers true when it has been dealt with. */
  onRefused?: (error: ProviderError, values: Required<Values>) => boolean;
};

/**
 * The course of every form for accounts: all fields filled in, checked here, sent once however often it is
 * submitted; a refusal is told by a toast, and what was typed stays.
 */
export function useAccountForm({ fields, draft, check, send, failure, onDone, onRefused }: AccountForm) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  function refuse(form: HTMLFormElement, found: FieldErrors) {
    setErrors(found);
    const first = fields.find((field) => found[field]);
    if (first) fieldOf(form, first)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (running.current) return;
    const form = event.currentTarget;
    const values = readValues(form, fields);
    const missing = findMissing(fields, values);
    if (Object.keys(missing).length > 0) {
      showToast("error", FILL_IN_ALL);
      return refuse(form, missing);
    }
    const wrong = { ...checkEmail(form), ...check?.(values) };
    if (Object.keys(wrong).length > 0) return refuse(form, wrong);

    setErrors({});
    forgetLinkProblem();
    running.current = true;
    setBusy(true);
    try {
      const error = await send(await getBackend(), values);
      if (!error) onDone(values, form);
      else if (!onRefused?.(error, values)) tell(error);
    } catch (error) {
      tell(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  function tell(error: unknown) {
    logProviderFailure(failure, error);
    showToast("error", providerMessage(error));
  }

  /** Keeps what is typed and takes back the complaint about the field. */
  function change({ target }: FormEvent<HTMLFormElement>) {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const name = target.name as FieldName;
    if (draft && name !== "password") draft.current = { ...draft.current, [name]: target.value };
    if (errors[name]) setErrors({ ...errors, [name]: undefined });
  }

  return {
    errors,
    busy,
    formProps: { noValidate: true, method: "post", onSubmit: submit, onChange: change },
  };
}

function readValues(form: HTMLFormElement, fields: readonly FieldName[]): Required<Values> {
  const typed = new FormData(form);
  const read = (field: FieldName) => {
    const value = fields.includes(field) ? String(typed.get(field) ?? "") : "";
    return field === "password" ? value : value.trim();
  };
  return {
    fullName: read("fullName"),
    email: read("email"),
    password: read("password"),
    countryCode: read("countryCode"),
    phone: read("phone"),
  };
}

function fieldOf(form: HTMLFormElement, name: FieldName): HTMLInputElement | null {
  return form.querySelector(`[name="${name}"]`);
}

function checkEmail(form: HTMLFormElement): FieldErrors {
  return fieldOf(form, "email")?.validity.typeMismatch ? { email: EMAIL_MALFORMED } : {};
}
