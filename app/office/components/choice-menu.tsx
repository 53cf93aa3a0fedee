import { Menu } from "#app/components/menu.tsx";
import { OfficeIcon } from "./office-icon.tsx";

type ChoiceMenuProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  /** While the last choice is saved, a further one does nothing. */
  busy: boolean;
  onChoose: (value: Value) => void;
};

/** The browser focuses it when its menu opens. React would focus it itself, as soon as it is there. */
function focusOnOpening(item: HTMLElement | null) {
  item?.setAttribute("autofocus", "");
  return () => item?.removeAttribute("autofocus");
}

/** A choice that is saved at once. It needs Enter, Space or a click: in a native select, one arrow key or letter chooses. */
export function ChoiceMenu<Value extends string>({
  label,
  value,
  choices,
  busy,
  onChoose,
}: ChoiceMenuProps<Value>) {
  const current = choices.find((choice) => choice.value === value)?.label ?? value;
  return (
    <span aria-busy={busy} className="flex min-w-32 grow">
      <Menu
        trigger={
          <>
            {current}
            <OfficeIcon name="chevron-down" size={16} />
          </>
        }
        triggerLabel={`${label}: ${current}`}
        triggerClass="flex min-h-11 grow cursor-pointer items-center justify-between gap-1 rounded-control border border-line-strong bg-surface px-2 text-15 whitespace-nowrap hover:border-green in-aria-busy:bg-paper in-aria-busy:text-muted @4xl:min-h-9"
        panelClass="[position-try-fallbacks:flip-block,flip-inline]! min-w-40"
      >
        {choices.map((choice) => (
          <button
            key={choice.value}
            type="button"
            role="menuitem"
            ref={choice.value === value ? focusOnOpening : undefined}
            aria-current={choice.value === value ? true : undefined}
            className="menu-item aria-current:font-semibold aria-current:text-green"
            onClick={() => !busy && choice.value !== value && onChoose(choice.value)}
          >
            {choice.label}
          </button>
        ))}
      </Menu>
    </span>
  );
}
