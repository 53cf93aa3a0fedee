/** The pages that the law asks for, as footer, forms and documents name them. */
export const deliveryAndReturns = { label: "Delivery and returns", to: "/delivery-and-returns" } as const;
export const terms = { label: "Terms", to: "/terms" } as const;
export const privacy = { label: "Privacy", to: "/privacy" } as const;

export const lawPages = [deliveryAndReturns, terms, privacy] as const;
