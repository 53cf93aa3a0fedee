type CountryCode = {
  /** Not the calling code, which some entries share. */
  key: string;
  country: string;
  callingCode: string;
};

/** The 20 entries of the sign-up form, in the order of the specification. */
export const COUNTRY_CODES: readonly CountryCode[] = [
  { key: "us-ca", country: "United States and Canada", callingCode: "+1" },
  { key: "gb", country: "United Kingdom", callingCode: "+44" },
  { key: "gh", country: "Ghana", callingCode: "+233" },
  { key: "ng", country: "Nigeria", callingCode: "+234" },
  { key: "za", country: "South Africa", callingCode: "+27" },
  { key: "fr", country: "France", callingCode: "+33" },
  { key: "de", country: "Germany", callingCode: "+49" },
  { key: "in", country: "India", callingCode: "+91" },
  { key: "cn", country: "China", callingCode: "+86" },
  { key: "jp", country: "Japan", callingCode: "+81" },
  { key: "au", country: "Australia", callingCode: "+61" },
  { key: "br", country: "Brazil", callingCode: "+55" },
  { key: "mx", country: "Mexico", callingCode: "+52" },
  { key: "ru", country: "Russia", callingCode: "+7" },
  { key: "kr", country: "South Korea", callingCode: "+82" },
  { key: "it", country: "Italy", callingCode: "+39" },
  { key: "es", country: "Spain", callingCode: "+34" },
  { key: "nl", country: "Netherlands", callingCode: "+31" },
  { key: "se", country: "Sweden", callingCode: "+46" },
  // The spec's further entry for Russia's +7, which Kazakhstan shares.
  { key: "ru-kz", country: "Russia and Kazakhstan", callingCode: "+7" },
];

/** Selected by default. */
export const HOME_COUNTRY = "gh";
