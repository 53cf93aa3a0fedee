export type ContactMessage = { name: string; phone: string; email: string; message: string };

/** The message as an email: the text, then the sender's details for the reply. */
export function composeEmail({ name, phone, email, message }: ContactMessage): {
  subject: string;
  body: string;
} {
  return {
    subject: `Question from ${name}`,
    // Email programs need CRLF; WhatsApp accepts it too.
    body: [message, "", name, phone, email].join("\r\n"),
  };
}
