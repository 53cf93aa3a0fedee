import { shop } from "#app/shop.ts";

/** The owner's words on paying and receiving, at checkout and on the confirmation page. */
export function HowYouPay() {
  return (
    <section aria-labelledby="how-you-pay" className="rounded-card bg-tint p-5 text-15">
      <h2 id="how-you-pay" className="font-sans text-15 font-semibold">
        How you pay and receive your order
      </h2>
      {shop.howYouPayAndReceive.map((paragraph) => (
        <p key={paragraph} className="mt-2">
          {paragraph}
        </p>
      ))}
    </section>
  );
}
