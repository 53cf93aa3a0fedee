import { type ChangeEvent, type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { focusField } from "./focus-field.ts";

/** A message for each invalid field. */
export type FieldErrors<Values> = { [Name in keyof Values]?: string | null };

export type Form<Values> = {
  /** The value that each field starts with, in display order. Texts are controls of that name. */
  fields: Values;
  rules?: (values: Values) => FieldErrors<Values>;
  /** Called with what the rules found, once it is shown. */
  onInvalid?: (errors: FieldErrors<Values>, values: Values) => void;
  /** Called with the values after each change of a field. */
  onChange?: (values: Values) => void;
  /**
   * Called with valid values, and not again until it has finished.
   * @param refuse shows what the server refuses at its fields
   */
  send: (values: Values, form: HTMLFormElement, refuse: (errors: FieldErrors<Values>) => void) => unknown;
};

/**
 * A form's values, their errors and its submission. An error is shown from a submission until its field is changed, and
 * the first invalid field gets the focus.
 */
export function useForm<Values extends object>({ fields, rules, onInvalid, onChange, send }: Form<Values>) {
  const [start] = useState(fields);
  const [values, setValues] = useState(fields);
  const [errors, setErrors] = useState<FieldErrors<Values>>({});
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const names = Object.keys(start) as (keyof Values & string)[];

  // What was typed before the page's code arrived is in the controls only: the next rendering would overwrite it.
  useLayoutEffect(() => {
    if (element.current && hasTypedText(element.current)) setValues(withTexts(start, element.current));
  }, [start]);

  function change<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: null }));
    onChange?.({ ...values, [name]: value });
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (running.current) return;
    const form = event.currentTarget;
    const typed = withTexts(values, form);
    const refuse = (found: FieldErrors<Values>) => {
      setErrors(found);
      const first = names.find((name) => found[name]);
      if (first) focusField(form, first);
      return first;
    };
    const found = rules?.(typed) ?? {};
    if (refuse(found)) return onInvalid?.(found, typed);
    running.current = true;
    setBusy(true);
    try {
      await send(typed, form, refuse);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return {
    values,
    errors,
    /** Whether it is being sent. */
    busy,
    /** Whether any value differs from the one that it started with. */
    dirty: names.some((name) => values[name] !== start[name]),
    change,
    setValues,
    /** For the control of a text. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: ({ target }: ChangeEvent<{ value: string }>) => change(name, target.value as Values[Name]),
    }),
    formProps: { ref: element, noValidate: true, onSubmit },
  };
}

/** What a part of a form needs of it: the form may have further fields. */
export type FormPart<Values extends object> = Pick<
  ReturnType<typeof useForm<Values>>,
  "values" | "change" | "field"
>;

const hasTypedText = ({ elements }: HTMLFormElement) =>
  [...elements].some(
    (control) =>
      (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) &&
      control.value !== control.defaultValue,
  );

/** Read from the controls: what was typed before the page's code arrived is in none of its state. */
function withTexts<Values extends object>(values: Values, form: HTMLFormElement): Values {
  const texts = { ...values } as Record<string, unknown>;
  new FormData(form).forEach((text, name) => {
    if (typeof texts[name] === "string") texts[name] = text;
  });
  return texts as Values;
}
