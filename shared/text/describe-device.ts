/** User agents contain other browsers' names, so the order matters. */
const browsers: readonly [RegExp, string][] = [
  [/\b(?:EdgA?|EdgiOS)\//, "Edge"],
  [/\b(?:OPR|Opera Mini|OPiOS|OPX)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bUC ?Browser\//, "UC Browser"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bAndroid\b.*\bMobile\b|\bAndroid\b.*Opera Mini/, "an Android phone"],
  [/\bAndroid\b/, "an Android tablet"],
  [/\bCrOS\b/, "a Chromebook"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "a Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A browser's user agent in plain words: 'Chrome on an Android phone'; 'Unknown device' for anything else. Only a
 * hint: anyone can send any user agent.
 */
export function describeDevice(agent: string | null): string {
  const find = (list: readonly [RegExp, string][]) => list.find(([form]) => form.test(agent ?? ""))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return `${browser} on ${system}`;
  if (browser ?? system) return browser ?? `A browser on ${system}`;
  return "Unknown device";
}
