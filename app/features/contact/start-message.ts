/** The id of the contact form's message field, for the buttons beside the form. */
export const MESSAGE_ID = "contact-message";

/** The start of a message, for each of the two buttons. */
export const CONSULTATION = "I would like to schedule a consultation. It is about ";
export const CATALOG = "Please send me your catalog. My school needs ";

/**
 * Moves to the contact form and starts its message, unless the visitor has written something themselves. Nothing is sent
 * and the page stays: see docs/decisions/0030.
 */
export function startMessage(text: string): void {
  const field = document.getElementById(MESSAGE_ID);
  if (!(field instanceof HTMLTextAreaElement)) return;
  if (["", CONSULTATION.trim(), CATALOG.trim()].includes(field.value.trim())) field.value = text;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
