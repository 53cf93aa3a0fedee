import type { FormEvent, RefObject } from "react";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { setLinkProblem } from "#app/features/session/email-link-store.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import type { BackendFailure } from "#app/lib/backend/failure.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { FILL_IN_ALL, type FieldErrors, type FieldName, findMissing, type Values } from "./account-form.ts";
import { showAccountFailure } from "./show-account-failure.ts";

/** What was typed in the forms of a page, so that switching between them loses nothing. Passwords are not stored. */
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

const EMPTY: Required<Values> = { fullName: "", email: "", password: "", countryCode: "", phone: "" };

/**
 * The flow of every account form: all fields required, validated here, sent once however often it is submitted; a
 * refusal is shown as a toast, and what was typed stays.
 */
export function useAccountForm({ fields, draft, check, send, failure, onDone, onRefused }: AccountForm) {
  const { errors, busy, change, formProps } = useForm({
    fields: EMPTY,
    rules(typed) {
      const values = trimmed(typed);
      return findMissing(fields, values) ?? { ...checkEmail(fields, values), ...check?.(values) };
    },
    onInvalid: (_, typed) => findMissing(fields, typed) && showToast("error", FILL_IN_ALL),
    async send(typed, form) {
      const values = trimmed(typed);
      setLinkProblem(null);
      try {
        requireConnection();
        await send(await getBackend(), values);
        onDone(values, form);
      } catch (error) {
        if (isBackendFailure(error)) onRefused?.(error, values);
        showAccountFailure(failure, error);
      }
    },
  });

  /** Saves the draft and clears the field's error. The controls keep their texts. */
  function onChange({ target }: FormEvent<HTMLFormElement>) {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const name = target.name as FieldName;
    if (draft && name !== "password") draft.current = { ...draft.current, [name]: target.value };
    if (errors[name]) change(name, target.value);
  }

  return { errors, busy, formProps: { ...formProps, method: "post", onChange } };
}

/** White space counts only in passwords. */
const trimmed = (typed: Required<Values>) =>
  Object.fromEntries(
    Object.entries(typed).map(([name, text]) => [name, name === "password" ? text : text.trim()]),
  ) as Required<Values>;

const checkEmail = (fields: readonly FieldName[], { email }: Required<Values>): FieldErrors =>
  fields.includes("email") && !isEmail(email) ? { email: EMAIL_MALFORMED } : {};
