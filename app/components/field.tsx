import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { controlClass } from "./control.ts";

export type FieldProps = { label: ReactNode; hint?: ReactNode; error?: string | null; className?: string };

/** The ids that link a control to its label and its note, and the ARIA props to spread on the control. */
export function useField({ hint, error }: Pick<FieldProps, "hint" | "error">, givenId?: string) {
  const generated = useId();
  const id = givenId ?? generated;
  const noteId = error || hint ? `${id}-note` : undefined;
  return { id, noteId, aria: { "aria-invalid": error ? true : undefined, "aria-describedby": noteId } };
}

/** Label above the control, hint or error below. */
export function FieldFrame({
  label,
  hint,
  error,
  className = "",
  id,
  noteId,
  children,
}: FieldProps & { id: string; noteId?: string; children: ReactNode }) {
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
        {label}
      </label>
      {children}
      {noteId && (
        <p id={noteId} className={`mt-1.5 text-15 ${error ? "text-clay" : "text-muted"}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

export function InputField({
  label,
  hint,
  error,
  className,
  id: givenId,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const { id, noteId, aria } = useField({ hint, error }, givenId);
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id} noteId={noteId}>
      <input id={id} className={controlClass} {...aria} {...input} />
    </FieldFrame>
  );
}

export function TextareaField({
  label,
  hint,
  error,
  className,
  id: givenId,
  ...textarea
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, noteId, aria } = useField({ hint, error }, givenId);
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id} noteId={noteId}>
      <textarea id={id} rows={5} className={`${controlClass} py-2.5`} {...aria} {...textarea} />
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  className,
  id: givenId,
  children,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, noteId, aria } = useField({ hint, error }, givenId);
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id} noteId={noteId}>
      <select id={id} className={controlClass} {...aria} {...select}>
        {children}
      </select>
    </FieldFrame>
  );
}
