import { type InputHTMLAttributes, useState } from "react";
import { controlClass } from "./control.ts";
import { FieldFrame, type FieldProps, useField } from "./field.tsx";

type PasswordFieldProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "type">;

/** A password field with a Show button; hiding the password again keeps what was typed. */
export function PasswordField({ label, hint, error, className, id: givenId, ...input }: PasswordFieldProps) {
  const { id, noteId, aria } = useField({ hint, error }, givenId);
  const [shown, setShown] = useState(false);
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id} noteId={noteId}>
      <span className="relative block">
        <input
          id={id}
          type={shown ? "text" : "password"}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={`${controlClass} pr-18`}
          {...aria}
          {...input}
        />
        <button
          type="button"
          aria-controls={id}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 min-w-16 rounded-control px-3 text-15 font-semibold text-green hover:text-green-deep hover:underline"
        >
          {shown ? "Hide" : "Show"}
          <span className="sr-only"> password</span>
        </button>
      </span>
    </FieldFrame>
  );
}
