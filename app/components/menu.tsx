import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Link } from "react-router";
import { createTypeahead } from "./typeahead.ts";

type MenuProps = {
  trigger: ReactNode;
  /** For screen readers, when the trigger's text is not clear enough. */
  triggerLabel?: string;
  triggerClass?: string;
  panelClass?: string;
  /** The edge of the trigger that the panel aligns with. */
  align?: "start" | "end";
  children: ReactNode;
};

const panelBase = "menu-panel";

const sides = {
  start: "menu-start",
  end: "menu-end",
};

/**
 * A button that opens a menu over the page. The popover is native: it opens, closes on Escape or a click elsewhere
 * and returns the focus without JavaScript; JavaScript adds the arrow keys, Home, End and typeahead.
 */
export function Menu({
  trigger,
  triggerLabel,
  triggerClass,
  panelClass = "",
  align = "start",
  children,
}: MenuProps) {
  const id = useId();
  const anchor = `--menu-${id.replace(/\W/g, "")}`;
  const panel = useRef<HTMLDivElement>(null);
  const [find, setFind] = useState(createTypeahead);

  const items = () => [...(panel.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const focusAt = (index: number) => items().at(index)?.focus();

  function onTriggerKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    panel.current?.showPopover();
    focusAt(event.key === "ArrowDown" ? 0 : -1);
  }

  function onPanelKey(event: KeyboardEvent) {
    const all = items();
    const current = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") panel.current?.hidePopover();
    else if (event.key === " " && all[current]?.tagName === "A") all[current].click();
    else if (step !== undefined) focusAt(all.length ? step % all.length : 0);
    else if (
      event.key.length === 1 &&
      event.key !== " " &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      const labels = all.map((item) => item.textContent ?? "");
      const index = find(event.key, labels, current, event.timeStamp);
      if (index >= 0) focusAt(index);
    } else return;
    if (event.key !== "Tab") event.preventDefault();
  }

  return (
    <>
      <button
        type="button"
        id={`${id}-trigger`}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={triggerLabel}
        className={triggerClass}
        style={{ anchorName: anchor }}
        onKeyDown={onTriggerKey}
      >
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={`${id}-trigger`}
        tabIndex={-1}
        className={`${panelBase} ${sides[align]} ${panelClass}`}
        style={{ positionAnchor: anchor }}
        onKeyDown={onPanelKey}
        // Before it opens, not after: the next key may follow immediately.
        onBeforeToggle={(event) => {
          if (event.newState === "open") setFind(createTypeahead);
        }}
        onToggle={(event) => {
          if (event.newState === "open" && !event.currentTarget.contains(document.activeElement)) {
            items()
              .find((item) => item.ariaDisabled !== "true")
              ?.focus();
          }
        }}
        onClick={(event) => {
          const item = (event.target as Element).closest("[role=menuitem]");
          if (item && item.ariaDisabled !== "true") panel.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}

const itemClass = "menu-item";

type MenuLinkProps = { to: string; reloadDocument?: boolean; children: ReactNode };

export function MenuLink({ to, reloadDocument, children }: MenuLinkProps) {
  return (
    <Link role="menuitem" to={to} reloadDocument={reloadDocument} className={itemClass}>
      {children}
    </Link>
  );
}

export function MenuAction({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <button type="button" role="menuitem" onClick={onSelect} className={itemClass}>
      {children}
    </button>
  );
}

/** An entry for information only: the arrow keys reach it, so that it is read out, but it cannot be chosen. */
export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <div role="menuitem" aria-disabled="true" tabIndex={-1} className="px-3 py-2 text-15 text-muted">
      {children}
    </div>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, which these are not
    <div role="group" aria-labelledby={id}>
      <p id={id} className="px-3 pt-2 pb-1 text-13 text-muted">
        {label}
      </p>
      {children}
    </div>
  );
}
