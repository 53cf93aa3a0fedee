import { type FormEvent, type RefObject, useRef, useState } from "react";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { setLinkProblem } from "#app/features/session/email-link-store.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import type { BackendFailure } from "#app/lib/backend-failure.ts";
import { EMAIL_MALFORMED, isEmail } from "#app/lib/email.ts";
import { isBackendFailure } from "#app/lib/failure-message.ts";
import { requireConnection } from "#app/lib/offline.ts";
import { FILL_IN_ALL, type FieldErrors, type FieldName, findMissing, type Values } from "./account-form.ts";
import { showAccountFailure } from "./show-account-failure.ts";

/** What was typed in the forms of a page, so that switching between them loses nothing. Passwords are not kept. */
export type Draft = RefObject<Values>;

type AccountForm = {
  /** In display order; all are required. */
  fields: readonly FieldName[];
  draft?: Draft;
  /** Further validation before anything is sent. */
  check?: (values: Required<Values>) => FieldErrors;
  /** Sends the request. */
  send: (backend: BackendClient, values: Required<Values>) => Promise<void>;
  /** The label of a failure in the log. */
  failure: string;
  onDone: (values: Required<Values>, form: HTMLFormElement) => void;
  /** Called before a refusal is shown. */
  onRefused?: (refusal: BackendFailure, values: Required<Values>) => void;
};

/**
 * The flow of every account form: all fields required, validated here, sent once however often it is submitted; a
 * refusal is shown as a toast, and what was typed stays.
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
    const wrong = { ...checkEmail(fields, values), ...check?.(values) };
    if (Object.keys(wrong).length > 0) return refuse(form, wrong);

    setErrors({});
    setLinkProblem(null);
    running.current = true;
    setBusy(true);
    try {
      requireConnection();
      await send(await getBackend(), values);
      onDone(values, form);
    } catch (error) {
      if (isBackendFailure(error)) onRefused?.(error, values);
      showAccountFailure(failure, error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  /** Saves the draft and clears the field's error. */
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

function checkEmail(fields: readonly FieldName[], { email }: Required<Values>): FieldErrors {
  return fields.includes("email") && !isEmail(email) ? { email: EMAIL_MALFORMED } : {};
}
