import { type FormEvent, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button, buttonClass } from "#app/components/button.tsx";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { Icon } from "#app/components/icon.tsx";
import { DataNote } from "#app/features/law/data-note.tsx";
import { emailLink, whatsAppLink } from "#app/features/site/contact-links.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { type ContactMessage, composeEmail } from "./contact-message.ts";
import { MESSAGE_ID } from "./start-message.ts";

/**
 * By the specification this form only logs to the browser's console. So that visitors do not believe that a message was
 * sent, it then offers the message as a WhatsApp chat and as an email for them to send.
 */
export function ContactForm() {
  const [message, setMessage] = useState<ContactMessage | null>(null);
  const sendHeading = useRef<HTMLHeadingElement>(null);

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
    flushSync(() => setMessage(typed));
    sendHeading.current?.focus();
  }

  return (
    <>
      {/* Without JavaScript, this method does nothing and keeps the input out of URLs and logs. */}
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
          id={MESSAGE_ID}
          name="message"
          required
          hint="Tell us the stage, subject and number of pupils."
          className="sm:col-span-2"
        />
        <DataNote className="sm:col-span-2">
          We use what you send us to answer you. Nothing leaves this page before you send it by WhatsApp or
          email.
        </DataNote>
        <div className="sm:col-span-2">
          <Button type="submit" size="large" className="noscript:hidden">
            Write Message
          </Button>
          <p className="hidden noscript:block">
            This form needs JavaScript. Please call us, message us on WhatsApp or send an email.
          </p>
        </div>
      </form>
      {message && <SendIt message={message} heading={sendHeading} />}
    </>
  );
}

type SendItProps = { message: ContactMessage; heading: RefObject<HTMLHeadingElement | null> };

function SendIt({ message, heading }: SendItProps) {
  const email = composeEmail(message);
  return (
    <section aria-labelledby="send-it" className="mt-8 border-t-4 border-gold bg-gold-tint p-6">
      <h3 id="send-it" ref={heading} tabIndex={-1} className="text-20">
        Your message is ready. How would you like to send it?
      </h3>
      <p className="mt-1 text-gold-ink">It hasn't been sent yet.</p>
      <div className="mt-4 flex flex-wrap gap-3">
        {currentShop().whatsApp && (
          <a href={whatsAppLink(email.body)} target="_blank" rel="noreferrer" className={buttonClass()}>
            <Icon name="chat" />
            Send by WhatsApp
          </a>
        )}
        <a href={emailLink(email)} className={buttonClass({ variant: "secondary" })}>
          <Icon name="mail" />
          Send by email
        </a>
      </div>
    </section>
  );
}
