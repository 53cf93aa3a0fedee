/**
 * What the shop keeps of people, for the privacy page. `columns` names where: a test compares them with the database's tables, so
 * that a new column is either listed here or said to be about no person (tests/database/kept-data.test.ts).
 */
type KeptData = {
  what: string;
  why: string;
  until: string;
  /** By table: its columns, with spaces between. */
  columns: Readonly<Record<string, string>>;
};

export const keptData: readonly KeptData[] = [
  {
    what: "Your account: name, email address, phone number, a form of your password from which it can't be read, and the address and way of delivery that you save",
    why: "So that you can sign in and needn't type them again.",
    until: "Until you close the account. You can change and remove them under My Account.",
    columns: {
      "auth.users":
        "email email_change encrypted_password phone phone_change raw_app_meta_data raw_user_meta_data",
      "public.profiles":
        "full_name email phone address city postal_code region landmark digital_address delivery_method bus_station",
      "public.user_roles": "role",
    },
  },
  {
    what: "Your orders: the books, name, address, email address, phone number, notes on delivery and your own reference",
    why: "To deliver them, to answer your questions, and for our accounts.",
    until:
      "The order stays for our accounts. Your name and all contact details are removed from it when you close your account or ask us to.",
    columns: {
      "public.orders":
        "shipping_address recipient_name recipient_email recipient_phone region landmark digital_address delivery_method bus_station delivery_note customer_reference",
      "public.order_items": "title publisher isbn",
      "public.order_events": "from_status to_status",
      "public.order_notes": "body",
      "public.invoices": "",
    },
  },
  {
    what: "Payments and refunds: amount, day, way of paying, the payment service's number, and a note. No card number",
    why: "To know what has been paid, and for our accounts.",
    until: "They stay with the order. Notes are removed with your name.",
    columns: {
      "public.payments": "kind method reference provider_id received_currency note checkout_url",
    },
  },
  {
    what: "Quotes that you request: institution, contact person, email address, phone number, message and purchase order number",
    why: "To make you an offer.",
    until: "As with orders.",
    columns: {
      "public.quotes":
        "institution contact_name contact_email contact_phone message note purchase_order_number",
      "public.quote_lines": "title publisher isbn",
    },
  },
  {
    what: "Your cart, your wishlist, and the sold-out books about which you asked for an email",
    why: "To show them to you, and to send you that one email.",
    until: "Until you remove them, order, or close your account.",
    columns: {
      "public.cart_items": "",
      "public.wishlists": "",
      "public.stock_alerts": "",
      "private.cart_requests": "",
      "private.booklist_additions": "",
    },
  },
  {
    what: "Your reviews, under your first name, and which reviews you have reported",
    why: "To help other readers.",
    until:
      "Until you delete them. When you close your account, the text is removed and the stars stay without a name.",
    columns: { "public.reviews": "review_text", "private.review_reports": "" },
  },
  {
    what: "Emails to you that wait to be sent or have been sent: what about and when, not their text",
    why: "So that none is lost or sent twice.",
    until: "They stay with the order. Those that are waiting are deleted when you close your account.",
    columns: { "public.outgoing_emails": "mailbox" },
  },
  {
    what: "A log of who changed orders, quotes, reviews, roles and books, and what they were before",
    why: "To correct mistakes and to see misuse.",
    until: "It stays, without what names you once you have closed your account.",
    columns: { "public.audit_log": "before after" },
  },
  {
    what: "Where you are signed in, and in scrambled form the networks from which you signed in and those from which wrong passwords came",
    why: "To keep you signed in, and to keep others out of your account.",
    until:
      "Sessions end half a year after they were last used, scrambled networks after a year, sign-ups after a month, and links in our emails and counts of attempts after a day.",
    columns: {
      // Only a hosted project fills in the browser and its address.
      "auth.sessions": "user_agent ip",
      "auth.refresh_tokens": "id token parent",
      "private_shop.email_links": "token_hash email",
      "private_shop.account_tasks": "task",
      "private_shop.sign_ups": "address password_hash",
      "private_shop.attempts": "key",
      "private_shop.known_networks": "network",
    },
  },
  {
    what: "Backups of all of this",
    why: "So that your orders survive a broken computer.",
    until: "Each night's for 14 nights. [How long copies elsewhere are kept]",
    columns: {},
  },
];

/** What the shop stores in browsers, which the pages themselves do. */
export const browserData: readonly string[] = [
  "We set no cookies while you shop. Staff have one, which remembers for 7 days whether the back office's menu is open.",
  "While you are signed in, your browser keeps that you are, and copies of your cart, wishlist, orders, quotes and details, so that you can read them without a connection. Signing out deletes all of it.",
  "What you have typed at checkout stays in its tab until you order, close the tab or sign out. Ticks on a booklist and lists for bulk orders stay until you remove them or sign out.",
  "Pages of the shop that you have visited, with their pictures, are kept so that you can read them without a connection. Deleting the website's data in your browser removes them.",
];
