/**
 * What the shop keeps of people, for the privacy page. `columns` names where: a test compares them with the database's tables, so
 * that a new column is either listed here or said to be about no person (tests/database/kept-data.test.ts).
 */
type KeptData = {
  what: string;
  why: string;
  /** `{registrationDays}` is the setting's value. */
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
      "public.staff_duties": "duty",
    },
  },
  {
    what: "Our staff's notes about you, such as what you asked for on the phone",
    why: "So that you needn't tell us twice.",
    until: "Until you close the account or ask us to delete them.",
    columns: { "private.person_notes": "body" },
  },
  {
    what: "Your orders: the books, name, address, email address, phone number, notes on delivery, your own reference, and shipping details",
    why: "To deliver them, to answer your questions, and for our accounts.",
    until:
      "The order stays for our accounts. Your name and all contact details are removed from it when you close your account or ask us to.",
    columns: {
      "public.orders":
        "shipping_address recipient_name recipient_email recipient_phone region landmark digital_address delivery_method bus_station delivery_note customer_reference carrier parcel_number driver_phone",
      "public.order_items": "title publisher isbn kind",
      "public.order_events": "from_status to_status reopened",
      "private.sales": "region",
      "private.sales_changes": "region",
      "public.order_notes": "body",
      "public.order_returns": "reason note",
      "public.order_return_lines": "title",
      "public.order_shipments": "carrier parcel_number driver_phone",
      "public.order_shipment_lines": "title",
      "public.invoices": "",
    },
  },
  {
    what: "The licence codes of your orders, how often you have downloaded each file, and in scrambled form the links to them",
    why: "To give you, and nobody else, what you have bought.",
    until: "Codes and counts stay with the order. A link is deleted a week after it ends.",
    columns: {
      "private.licence_codes": "code",
      "private.file_downloads": "",
      "private.download_tickets": "token_hash",
    },
  },
  {
    what: "Payments and refunds: amount, day, way of paying, the payment service's number, and a note. No card number",
    why: "To know what has been paid, and for our accounts.",
    until: "They stay with the order. Notes are removed with your name.",
    columns: {
      "public.closings": "note",
      "public.payments": "kind method reference provider_id received_currency note checkout_url",
    },
  },
  {
    what: "Quotes that you request: institution, contact person, email address, phone number, message, region and way of delivery, and purchase order number; and in scrambled form the links to a quote that we made for you without an account",
    why: "To make you an offer.",
    until: "As with orders.",
    columns: {
      "public.quotes":
        "institution contact_name contact_email contact_phone message note purchase_order_number region delivery_method",
      "public.quote_lines": "title publisher isbn",
      "private.quote_links": "token_hash",
    },
  },
  {
    what: "Consultations that you ask for: name, email address, phone number, institution, subject, classes, the days that suit you and what it is about; our answers, where and when we meet, and a note of ours",
    why: "To advise you.",
    until:
      "Until you close your account or ask us to delete them, and no longer than we keep names on orders.",
    columns: {
      "public.consultations":
        "name email phone institution subject classes wished_days about meeting_place staff_note",
      "public.consultation_answers": "body",
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
    what: "Registrations for events: name, email address, phone number and institution, and in scrambled form the links in our emails about them",
    why: "To keep your place, and to tell you if something changes.",
    until:
      "{registrationDays} after the event, when you close the account with this email address, or when you ask us to.",
    columns: {
      "public.event_registrations": "name email phone institution",
      "private.event_links": "token_hash",
    },
  },
  {
    what: "Your email address, if you asked for emails about new events",
    why: "To send you those emails.",
    until:
      "Until you unsubscribe, with the link in each of them. An address that nobody has confirmed is deleted after a week.",
    columns: { "public.event_subscribers": "email" },
  },
  {
    what: "Of those we buy books from: name, contact person, email address, phone number and terms",
    why: "To order from them.",
    until:
      "Until we delete the supplier. Those we have ordered from stay for our accounts; we change or remove a contact person who asks.",
    columns: {
      "public.suppliers": "name contact_name email phone terms",
      "public.purchase_orders": "note",
      "public.receipts": "note",
    },
  },
  {
    what: "Earlier versions of our terms, with the office bearers, phone numbers and email address given in them",
    why: "So that anyone can check which terms applied to an order.",
    until: "We keep them, and anyone can read them, even after these details change.",
    columns: { "public.terms_versions": "settings" },
  },
  {
    what: "A log of who changed orders, quotes, reviews, roles, duties and books, and what they were before, and of the staff who counted the stock",
    why: "To correct mistakes and to see misuse.",
    until: "It stays, without what names you once you have closed your account.",
    columns: { "public.audit_log": "before after", "public.stock_scans": "" },
  },
  {
    what: "Where you are signed in and with which browser, and in scrambled form the browsers and networks from which you signed in and the networks from which wrong passwords came. Of staff, the key of their second step, encrypted, and recovery codes in scrambled form",
    why: "To keep you signed in, and to keep others out of your account.",
    until:
      "Sessions end half a year after they were last used, scrambled browsers and networks after a year, a second step when you remove it, sign-ups after a month, and links in our emails and counts of attempts after a day.",
    columns: {
      // Only a hosted project fills in the address.
      "auth.sessions": "user_agent ip",
      "auth.mfa_amr_claims": "authentication_method",
      "auth.mfa_factors": "friendly_name secret",
      "auth.mfa_challenges": "",
      "private_shop.used_steps": "",
      "private_shop.recovery_codes": "code_hash",
      "private_shop.known_devices": "device",
      "auth.refresh_tokens": "id token parent",
      "private_shop.email_links": "token_hash email",
      "private_shop.account_tasks": "task",
      "private_shop.sign_ups": "address password_hash",
      "private_shop.attempts": "key",
      "private_shop.known_networks": "network",
    },
  },
  {
    what: "Searches that found almost nothing, and lines of bulk orders that matched no book, with the number of different visitors and the day, but not who they were. Email addresses and phone numbers among them are left out",
    why: "To learn which books to stock.",
    until:
      "What fewer than three visitors searched for (two, for a line of a bulk order) is deleted when the month ends, and so is what tells visitors apart: for each text, the visitor's network in scrambled form, whose key is then destroyed. The counts are kept for three years.",
    columns: {
      "private.unmet_demand": "text",
      "private.unmet_demand_visitors": "text visitor",
      "private.unmet_demand_salts": "salt",
    },
  },
  {
    what: "Backups of all of this",
    why: "So that your orders survive a broken computer.",
    until: "Each night's for 14 nights.",
    columns: {},
  },
];

/** What the shop stores in browsers, which the pages themselves do. */
export const browserData: readonly string[] = [
  "We set no cookies while you shop. Staff have one, which remembers for 7 days whether the back office's menu is open.",
  "While you are signed in, your browser remembers that you're signed in and keeps copies of your cart, wishlist, orders, quotes and details, so that you can read them without a connection. Signing out deletes all of it.",
  "A random number tells your browser apart from others when you sign in, so that an email can tell you of a sign-in on a new device. It stays until you delete the website's data in your browser.",
  "What you have typed at checkout stays in its tab until you order, close the tab or sign out. Ticks on a booklist, the booklists that books in your cart came from, and lists for bulk orders stay until you remove them or sign out.",
  "Pages of the shop that you have visited, with their pictures, are kept so that you can read them without a connection. Deleting the website's data in your browser removes them.",
];
