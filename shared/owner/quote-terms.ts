/** What quotes and pro-forma invoices say, until the owner writes something else. */
export const quoteTerms = {
  quotePayment:
    "Pay by bank transfer, mobile money or cash on delivery. We'll call or message you on the day you accept to agree how and when.",
  /** Above the request form. */
  quoteRequest:
    "Tell us who the quote is for. We'll check prices and stock for the books in your cart and send you our offer here. Your cart stays as it is.",
};
