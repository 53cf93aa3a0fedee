import { type KeyboardEvent, useId, useRef, useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { FieldFrame, type FieldProps, useField } from "#app/components/field.tsx";

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
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(-1);
  const options = open ? suggest(typed) : [];
  const shown = options.length > 0;
  const optionId = (place: number) => `${listId}-${place}`;

  function show(text: string) {
    setTyped(text);
    setActive(-1);
    setOpen(true);
  }
  function choose(option: string) {
    onChange(option);
    setOpen(false);
  }
  function move(step: number) {
    const next = (active + step + options.length) % options.length;
    setActive(active === -1 && step < 0 ? options.length - 1 : next);
    list.current?.children[active === -1 && step < 0 ? options.length - 1 : next]?.scrollIntoView({
      block: "nearest",
    });
  }
  function press(event: KeyboardEvent) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (shown) move(event.key === "ArrowDown" ? 1 : -1);
      else show("");
    } else if (event.key === "Enter" && shown && options[active] !== undefined) {
      event.preventDefault();
      choose(options[active]);
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
          role="combobox"
          aria-required={required}
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? listId : undefined}
          aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
          autoComplete="off"
          className={controlClass}
          {...aria}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
            show(target.value);
          }}
          onClick={() => (open ? setOpen(false) : show(""))}
          onKeyDown={press}
          onBlur={() => setOpen(false)}
        />
        {shown && (
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label="Suggestions"
            className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-control border border-line-strong bg-surface py-1 shadow-float"
          >
            {options.map((option, place) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input answers the keys
              <div
                key={option}
                id={optionId(place)}
                role="option"
                aria-selected={place === active}
                className={`flex min-h-11 cursor-pointer items-center px-3 py-1.5 hover:bg-tint ${place === active ? "bg-tint text-green" : ""}`}
                // Keeps the focus in the input: losing it would close the list before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                {option}
              </div>
            ))}
          </div>
        )}
      </div>
    </FieldFrame>
  );
}
