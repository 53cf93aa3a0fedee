/** The id of the contact form's message field, for the buttons beside the form. */
export const MESSAGE_ID = "contact-message";

/** How a message starts, by what it is about: `?about=` in the page's address. */
export const messages = {
  consultation: "I would like to schedule a consultation. It is about ",
  catalogue: "Please send me your catalog. My school needs ",
  bulk: "I would like to place a bulk order. My school needs ",
} as const;

export const isAbout = (text: string): text is keyof typeof messages => Object.hasOwn(messages, text);

/**
 * Moves to the contact form and starts its message, unless the visitor has written something themselves. Nothing is sent
 * and the page stays: see docs/decisions/0030.
 */
export function startMessage(text: string): void {
  const field = document.getElementById(MESSAGE_ID);
  if (!(field instanceof HTMLTextAreaElement)) return;
  const typed = field.value.trim();
  if (!typed || Object.values(messages).some((start) => start.trim() === typed)) field.value = text;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
