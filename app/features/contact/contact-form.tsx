import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { Icon } from "#app/components/icon.tsx";
import { mailLink, whatsAppLink } from "#app/features/site/contact-links.ts";
import { type ContactMessage, letterFrom } from "./contact-message.ts";

/**
 * The specification lets this form write to the browser's console and nowhere else. So that nobody believes a
 * message was sent, what was typed is then offered as a chat and as a mail, which the visitor sends.
 */
export function ContactForm() {
  const [message, setMessage] = useState<ContactMessage | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const read = (name: keyof ContactMessage) => String(fields.get(name) ?? "").trim();
    const typed = {
      name: read("name"),
      phone: read("phone"),
      email: read("email"),
      message: read("message"),
    };
    console.log("Contact form:", typed);
    form.reset();
    setMessage(typed);
  }

  return (
    <>
      {/* Without JavaScript this method keeps what was typed out of addresses and logs: nothing happens. */}
      <form method="dialog" onSubmit={submit} className="grid gap-5 sm:grid-cols-2">
        <InputField
          label="Full Name/Institution"
          name="name"
          autoComplete="name"
          required
          className="sm:col-span-2"
        />
        <InputField label="Phone Number" name="phone" type="tel" autoComplete="tel" required />
        <InputField label="Email Address" name="email" type="email" autoComplete="email" required />
        <TextareaField
          label="Message"
          name="message"
          required
          hint="Stage, subject and number of pupils help us to answer well."
          className="sm:col-span-2"
        />
        <div className="sm:col-span-2">
          <Button type="submit" size="large" className="noscript:hidden">
            Write Message
          </Button>
          <p className="hidden noscript:block">
            This form needs JavaScript. Please ring us, or write by chat or e-mail.
          </p>
        </div>
      </form>
      {message && <SendIt message={message} />}
    </>
  );
}

function SendIt({ message }: { message: ContactMessage }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message leads the reader here again
  useEffect(() => heading.current?.focus(), [message]);
  const letter = letterFrom(message);
  return (
    <section aria-labelledby="send-it" className="mt-8 border-t-4 border-gold bg-gold-tint p-6">
      <h3 id="send-it" ref={heading} tabIndex={-1} className="text-20">
        Your message is written. Now choose how to send it
      </h3>
      <p className="mt-1 text-gold-ink">Nothing has left this page yet.</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <a href={whatsAppLink(letter.body)} target="_blank" rel="noreferrer" className={buttonClass()}>
          <Icon name="chat" />
          Send by WhatsApp
        </a>
        <a href={mailLink(letter)} className={buttonClass({ variant: "secondary" })}>
          <Icon name="mail" />
          Send by e-mail
        </a>
      </div>
    </section>
  );
}
