import { type FormEvent, type ReactNode, type Ref, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { CameraButton } from "#app/office/frame/camera/camera-button.tsx";
import { ScanNotes } from "./scan-notes.tsx";
import type { ScanResult } from "./use-book-scans.ts";
import { useTypingAnywhere } from "./use-typing-anywhere.ts";

type ScanBoxProps = {
  label: string;
  hint?: ReactNode;
  /** The button's label, for people without a barcode scanner. */
  action: string;
  /** Called with typed text on Enter, or a code from the camera. False leaves it in the box. */
  scan: (code: string) => unknown;
  result?: ScanResult;
  /** Whether another part of the page shows the result of the last scan. */
  isResultElsewhere?: boolean;
  problems: readonly { id: number | string; message: string }[];
  waiting?: number;
  clearProblems: () => void;
  ref?: Ref<HTMLInputElement>;
};

/** The box for a barcode scanner, wherever the focus is: each Enter is a scan, and clears the box for the next. */
export function ScanBox({
  label,
  hint,
  action,
  scan,
  result,
  isResultElsewhere = false,
  problems,
  waiting,
  clearProblems,
  ref,
}: ScanBoxProps) {
  const [typed, setTyped] = useState("");
  const own = useRef<HTMLInputElement>(null);
  useTypingAnywhere(own);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() !== "" && scan(typed) !== false) setTyped("");
  }

  return (
    <div className="max-w-3xl">
      <form onSubmit={submit} noValidate className="flex flex-wrap items-end gap-3">
        <InputField
          ref={(element) => {
            own.current = element;
            if (typeof ref === "function") ref(element);
            else if (ref) ref.current = element;
          }}
          label={label}
          className="min-w-0 grow basis-64"
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={120}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit">{action}</Button>
        <CameraButton result={result} problem={problems[0]} onScan={scan} />
      </form>
      {hint && <p className="mt-1.5 text-13 text-muted">{hint}</p>}
      <div className="mt-2 min-h-6">
        <ScanNotes
          result={isResultElsewhere ? undefined : result}
          problems={problems}
          waiting={waiting}
          clearProblems={clearProblems}
        />
      </div>
    </div>
  );
}
