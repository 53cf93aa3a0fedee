/** The currencies of suppliers (suppliers_currency_is_known in the database). Each has a hundredth. */
export const CURRENCIES = {
  GHS: "Ghana cedis (GHS)",
  GBP: "Pounds sterling (GBP)",
  USD: "US dollars (USD)",
  EUR: "Euros (EUR)",
  NGN: "Nigerian naira (NGN)",
  ZAR: "South African rand (ZAR)",
  INR: "Indian rupees (INR)",
  CNY: "Chinese yuan (CNY)",
  AED: "UAE dirhams (AED)",
} as const;

export type Currency = keyof typeof CURRENCIES;

export function readCurrency(text: string): Currency {
  return Object.hasOwn(CURRENCIES, text) ? (text as Currency) : "GHS";
}
