/** Focuses the form's field of this name, after opening the section that hides it. */
export function focusField(form: HTMLFormElement, name: string): void {
  const control = form.elements.namedItem(name);
  if (!(control instanceof HTMLElement)) return;
  const folded = control.closest("details");
  if (folded) folded.open = true;
  control.focus();
}
