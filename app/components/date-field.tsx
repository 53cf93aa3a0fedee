import type { InputHTMLAttributes } from "react";
import { formatDay } from "#shared/text/dates.ts";
import { type FieldProps, InputField } from "./field.tsx";

type DateFieldProps = FieldProps & InputHTMLAttributes<HTMLInputElement> & { value: string };

/** A date. Browsers show it in their own language's format, so the hint repeats it in the page's format. */
export function DateField({ value, hint, ...field }: DateFieldProps) {
  return <InputField {...field} type="date" value={value} hint={value ? formatDay(value) : hint} />;
}
