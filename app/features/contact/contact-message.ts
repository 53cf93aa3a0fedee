/** What a visitor typed into the contact form. */
export type ContactMessage = { name: string; phone: string; email: string; message: string };

/** The message as a letter: what was typed, then who asks and how to answer. */
export function letterFrom({ name, phone, email, message }: ContactMessage): {
  subject: string;
  body: string;
} {
  return {
    subject: `Question from ${name}`,
    // Mail programs want CRLF; chats take it too.
    body: [message, "", name, phone, email].join("\r\n"),
  };
}
