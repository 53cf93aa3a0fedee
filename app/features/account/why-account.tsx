import { BookShelf } from "#app/components/book-shelf.tsx";

const REASONS = [
  {
    title: "A cart that waits for you",
    text: "Fill it at school and finish at home: it's the same on every device.",
  },
  {
    title: "A wishlist for next term",
    text: "Save the titles you plan to order once you have the budget.",
  },
  {
    title: "Your orders at a glance",
    text: "See what you ordered, what it cost and where it is. You can cancel until it is delivered.",
  },
];

/** The benefits of an account, beside the account forms. */
export function WhyAccount() {
  return (
    <aside
      aria-labelledby="why-account"
      className="on-dark overflow-hidden rounded-card bg-green text-white lg:sticky lg:top-24"
    >
      <div className="kente-strip" aria-hidden="true" />
      <div className="px-6 pt-8 sm:px-10 sm:pt-10">
        <h2 id="why-account" className="max-w-sm text-25 sm:text-32">
          One account for the whole school year
        </h2>
        <dl className="mt-6 grid max-w-lg gap-5">
          {REASONS.map(({ title, text }) => (
            <div key={title} className="border-l-2 border-gold pl-4">
              <dt className="font-semibold">{title}</dt>
              <dd className="text-15 text-tint">{text}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-6 max-w-md text-15 text-tint">
          We ask for your phone number so that we can agree payment and delivery with you.
        </p>
        <BookShelf className="mt-8 block w-full max-w-88" />
      </div>
      <div className="h-2 bg-gold" aria-hidden="true" />
    </aside>
  );
}
