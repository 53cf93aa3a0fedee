import { type KeyboardEvent, useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { FieldFrame, type FieldProps, useField } from "#app/components/field.tsx";
import { Listbox, useListbox } from "./listbox.tsx";

type ComboboxProps = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  name?: string;
  /** The suggestions for the typed text, in display order. */
  suggest: (typed: string) => readonly string[];
  required?: boolean;
};

/** Free text with suggestions: the arrow keys choose one, Enter accepts it, Escape closes the list and keeps the typed text. */
export function Combobox({
  label,
  hint,
  error,
  className,
  value,
  onChange,
  name,
  suggest,
  required,
}: ComboboxProps) {
  const { id, noteId, aria } = useField({ hint, error });
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const options = open ? suggest(typed) : [];
  const shown = options.length > 0;
  const listbox = useListbox({ shown, count: options.length, start: -1 });

  function show(text: string) {
    setTyped(text);
    listbox.reset();
    setOpen(true);
  }
  function choose(option: string) {
    onChange(option);
    setOpen(false);
  }
  function onKeyDown(event: KeyboardEvent) {
    const option = options[listbox.active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (shown) listbox.move(event.key === "ArrowDown" ? 1 : -1);
      else show("");
    } else if (event.key === "Enter" && shown && option !== undefined) {
      event.preventDefault();
      choose(option);
    } else if (event.key === "Escape" && shown) {
      setOpen(false);
    }
  }

  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id} noteId={noteId}>
      <div className="relative">
        <input
          id={id}
          name={name}
          aria-required={required}
          {...listbox.boxProps}
          className={controlClass}
          {...aria}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
            show(target.value);
          }}
          onClick={() => (open ? setOpen(false) : show(""))}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
        />
        {shown && (
          <Listbox
            listbox={listbox}
            label="Suggestions"
            options={options}
            keyOf={(option) => option}
            onChoose={choose}
            className="top-full mt-1 max-h-64"
          >
            {(option) => option}
          </Listbox>
        )}
      </div>
    </FieldFrame>
  );
}
