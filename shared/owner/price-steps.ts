/** The shop's price filter, in cedis: under the first, from it to the second, and so on. From smallest to largest. */
export const priceSteps: readonly number[] = [50, 100, 200, 400];
