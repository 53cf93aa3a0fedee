import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { useReturnFocus } from "./return-focus.ts";
import { enterToastLayer } from "./toast.ts";

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  size?: "medium" | "large";
  /** The dialog has nothing to focus, so its text takes the focus: otherwise the keyboard could not scroll it. */
  readOnly?: boolean;
  /** Gets the focus back on closing, if that is not the element that had it on opening. */
  opener?: Element | null;
  children: ReactNode;
  /** Stays in view at the bottom of the dialog. */
  footer?: ReactNode;
};

const sizes = { medium: "sm:max-w-xl", large: "sm:max-w-3xl" } as const;

export const overlayClass = "fixed inset-0 z-50 bg-ink/45";

const takeToasts = (content: HTMLElement | null) => (content ? enterToastLayer(content) : undefined);

/** A modal dialog; on a phone it fills the screen. Escape and a click outside close it. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = "medium",
  readOnly = false,
  opener,
  children,
  footer,
}: DialogProps) {
  const returnFocus = useReturnFocus(open, opener);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content
          ref={takeToasts}
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={(event) => {
            if (hasOpenList(document.activeElement)) event.preventDefault();
          }}
          className={`fixed inset-0 z-50 m-auto flex flex-col wrap-anywhere bg-surface text-15 shadow-float focus:outline-none sm:h-fit sm:max-h-[calc(100dvh-3rem)] sm:rounded-card ${sizes[size]}`}
        >
          <header className="flex items-start justify-between gap-4 border-b border-line py-3 pr-2 pl-5">
            <div className="min-w-0 py-1.5">
              <Primitive.Title className="text-20">{title}</Primitive.Title>
              {description && (
                <Primitive.Description className="mt-1 text-muted">{description}</Primitive.Description>
              )}
            </div>
            <Primitive.Close className={iconButtonClass} aria-label="Close">
              <Icon name="close" />
            </Primitive.Close>
          </header>
          <div
            {...(readOnly && { tabIndex: 0, role: "group", "aria-label": "Details" })}
            className="min-h-0 grow overflow-y-auto px-5 py-4"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-3 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A button that shows only an icon; it needs an aria-label. */
export const iconButtonClass =
  "inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink hover:bg-tint hover:text-green active:bg-line aria-disabled:cursor-not-allowed aria-disabled:text-muted";

/** Escape closes a field's open list first; the dialog gets the key before the field does. */
function hasOpenList(field: Element | null): boolean {
  return field?.getAttribute("role") === "combobox" && field.getAttribute("aria-expanded") === "true";
}

/** Focuses a form's first field, except on a phone, where the keyboard would cover the dialog. */
function focusFirstField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement) || !window.matchMedia("(hover: hover)").matches) return;
  const field = event.currentTarget.querySelector<HTMLElement>("form :is(input, select, textarea)");
  if (!field) return;
  event.preventDefault();
  field.focus();
}
