import { useState } from "react";

/**
 * The fields that have lost focus and are not being edited: their problems can be shown without interrupting anyone's
 * typing.
 */
export function useLeftFields() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  return {
    isLeft: (name: string) => left.has(name),
    /** For the field's control. */
    handlersOf: (name: string) => ({
      onBlur: () => setLeft((names) => new Set(names).add(name)),
      onFocus: () => setLeft((names) => new Set([...names].filter((one) => one !== name))),
    }),
  };
}
