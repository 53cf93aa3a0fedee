/**
 * The 20 entries of the sign-up form, in the order of the specification: country and calling code, which some share. The
 * last is the specification's further entry for +7.
 */
export const COUNTRY_CODES: readonly (readonly [country: string, callingCode: string])[] = [
  ["United States and Canada", "+1"],
  ["United Kingdom", "+44"],
  ["Ghana", "+233"],
  ["Nigeria", "+234"],
  ["South Africa", "+27"],
  ["France", "+33"],
  ["Germany", "+49"],
  ["India", "+91"],
  ["China", "+86"],
  ["Japan", "+81"],
  ["Australia", "+61"],
  ["Brazil", "+55"],
  ["Mexico", "+52"],
  ["Russia", "+7"],
  ["South Korea", "+82"],
  ["Italy", "+39"],
  ["Spain", "+34"],
  ["Netherlands", "+31"],
  ["Sweden", "+46"],
  ["Russia and Kazakhstan", "+7"],
];

/** Selected by default. */
export const HOME_COUNTRY = "Ghana";
