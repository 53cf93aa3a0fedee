import { type ReactNode, useId, useRef, useState } from "react";

type ListboxOptions = {
  shown: boolean;
  count: number;
  /** The option that is active at first; -1 for none. */
  start: 0 | -1;
};

/**
 * The options below a text box, the combobox of the ARIA practices: the focus stays in the box, which names the active
 * option. The shop's own search box has such a list too, but works before its code arrives (`suggestion-list.tsx`).
 */
export function useListbox({ shown, count, start }: ListboxOptions) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number>(start);
  const optionId = (index: number) => `${id}-${index}`;

  return {
    active,
    reset: () => setActive(start),
    move(step: 1 | -1) {
      const next = active < 0 && step < 0 ? count - 1 : (active + step + count) % count;
      setActive(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    },
    /** For the text box. */
    boxProps: {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": shown,
      "aria-controls": shown ? id : undefined,
      "aria-activedescendant": shown && active >= 0 ? optionId(active) : undefined,
      autoComplete: "off",
    },
    listProps: { ref: list, id },
    optionId,
  } as const;
}

type ListboxProps<Option> = {
  listbox: ReturnType<typeof useListbox>;
  label: string;
  options: readonly Option[];
  keyOf: (option: Option) => string;
  onChoose: (option: Option) => void;
  className: string;
  children: (option: Option) => ReactNode;
};

/** Rendered only while the list is shown. */
export function Listbox<Option>({
  listbox: { active, listProps, optionId },
  label,
  options,
  keyOf,
  onChoose,
  className,
  children,
}: ListboxProps<Option>) {
  return (
    <div
      {...listProps}
      role="listbox"
      aria-label={label}
      className={`absolute inset-x-0 z-20 overflow-y-auto rounded-control border border-line-strong bg-surface py-1 shadow-float ${className}`}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which names the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
        <div
          key={keyOf(option)}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          className={`flex min-h-11 cursor-pointer flex-col justify-center px-3 py-1.5 hover:bg-tint ${index === active ? "bg-tint text-green" : ""}`}
          // Keeps the focus in the box: losing it would close the list before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}
