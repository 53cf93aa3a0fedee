import { useState } from "react";

/**
 * The fields that have lost focus and are not being edited: their problems can be shown without interrupting anyone's
 * typing.
 */
export function useBlurredFields() {
  const [blurred, setBlurred] = useState<ReadonlySet<string>>(new Set());
  return {
    isBlurred: (name: string) => blurred.has(name),
    /** For the field's control. */
    handlersOf: (name: string) => ({
      onBlur: () => setBlurred((names) => new Set(names).add(name)),
      onFocus: () => setBlurred((names) => new Set([...names].filter((one) => one !== name))),
    }),
  };
}
