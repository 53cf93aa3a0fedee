/**
 * The first texts of the pages on delivery and returns, terms and privacy, until an admin changes them under Settings. They say what the
 * shop does; have someone who knows Ghana's law read them.
 *
 * A line that starts with '## ' is a heading, one with '- ' belongs to a list, and an empty line ends a paragraph. `{legalName}` and the
 * like stand for settings. What only the owner can decide is in [square brackets]: the pages show it as a blank, and Settings lists it.
 */
export const legalTexts = {
  deliveryAndReturns: `## Delivery
We deliver to an address in Ghana or to a bus parcel station that you name, or you collect your order from our shop: {address}. You choose when you order.

Digital titles need no delivery: once the order is paid, their files and licence codes are on its page, under My Orders.

{deliveryTerms}

{deliveryFees}

You see what delivery costs, and the full price, before you place the order. If we haven't handed over your order within 14 days, or within another time that we agreed with you, you may cancel it and get back everything that you have paid.

## When your parcel arrives
Please check it. If a book is missing, damaged or not the one that you ordered, tell us, if you can within two days, and give the order's number. We bring the right book or refund its price, and we pay for the way back.

## Cancelling and returning
You can cancel an order on its page, under My Orders, until it has been delivered. Later you may return books that are unused and as clean as they arrived within [number] days of delivery. You pay for the way back, unless the mistake was ours. A digital title can't be returned once you have downloaded it or seen its code; if we refund it, its downloads end. [What can't be returned, such as opened licence codes.]

## Refunds
We refund what you paid in the way in which you paid it: by Paystack if you paid online, otherwise by mobile money, bank transfer or cash. We start a refund within [number] days of your cancelling the order or of the books coming back. A payment service may take some days more.`,

  terms: `## Who we are
{facts}

## Books and prices
Every book has a page with its title, publisher, edition and level, and with what we know of its contents. Prices are in Ghana cedis. {taxes} Delivery is added before you order, so that you see the full price first; there are no other costs.

## Ordering
You need an account to order here; we also take orders by phone. Before you place an order you see your books, their number, the total and the address, and can correct each of them. If a price or the stock has changed meanwhile, we tell you, and nothing is ordered.

When you have placed an order, we email you that we have it, with its number. With that email we have a contract. If we can't deliver a book after all, we tell you without delay and refund what you have paid for it.

A quote that we send you is valid until the day that it names. If you accept it, it becomes an order at its prices.

## Paying
{payment}

{paystack}

## Cancelling and returning
You can cancel an order on its page until it has been delivered. The page on delivery and returns, which is part of these terms, says how you return books and get your money back.

If we haven't given you the information that section 47 of the Electronic Transactions Act, 2008 (Act 772) requires, you may cancel the contract within 14 days of receiving your books. You then return them, and we refund what you paid within 30 days.

## What we guarantee
The books are new, unless their page says otherwise, and are as described there. Your rights under the Sale of Goods Act, 1962 (Act 137) remain as they are. [Guarantees of your own, if you give any.]

## Your records
As long as you have an account, all your orders are under My Orders, with their invoices and receipts to print, and you can download everything under My Account. You can print this page and save it. Each order is a purchase of its own: nothing renews itself and there is no subscription.

## Reviews
If you have ordered a book you may review it, under your first name. We hide reviews that offend, that name other people or that aren't about the book.

## If something goes wrong
Please tell us first: {contact}. {disputes} These terms are under the law of Ghana.

## Changes
The terms that applied when you placed an order apply to it. We note their version with your account and each order.`,

  privacy: `## Who is responsible
{responsible}, {address}, is responsible for your data under the Data Protection Act, 2012 (Act 843), and is registered with the Data Protection Commission: {dataProtectionNumber}. Write to {contact}.

## What we keep, why, and how long
You can look at the shop without telling us anything about you. To order you need to give your name, your email address, a phone number and where the books go: without them we can't deliver. Everything else is up to you.

{kept}

Copies of these backups are also kept [where else, and for how long].

{retention}

## What your browser keeps
{browser}

## Who else receives it
- Those who bring your parcel get your name, phone number and address.
- {paystackData}
- [The company whose computers run this shop] and [the company that sends our emails] work on our behalf.
- Authorities get what the law requires us to give them.

We don't sell or lend your data, show no advertising and load nothing from other websites. No service counts or follows our visitors.

## How we protect it
The connection to this shop is encrypted. Passwords are stored only in a form from which they can't be read. Only our staff see orders, each change is recorded with who made it, and backups are kept where no one else can read them.

## Your rights
- Under My Account you see and correct your details, and download everything that we hold about you.
- There you can also close your account. Your orders stay for our accounts, without your name, address, phone number and email address.
- You may ask us what we hold about you, have it corrected or deleted, and object to its use: write to us or call us. Orders by phone are included.
- If you aren't content with our answer, you can turn to the Data Protection Commission (dataprotection.org.gh).`,
} as const;
