/*
 * The named letters of HTML and of the document types of the book trade (Latin, Greek, punctuation): '&eacute;' → 'é'.
 */

/** The entity names of U+00A0 to U+00FF in order, with '-' in place of each accented letter. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil " +
  "sup1 ordm raquo frac14 frac12 frac34 iquest - - - - - - AElig - - - - - - - - - ETH - - - - - - times Oslash - - - - - THORN szlig " +
  "- - - - - - aelig - - - - - - - - - eth - - - - - - divide oslash - - - - - thorn -";

const GREEK_CAPITALS =
  "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega";
const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega";

const OTHERS =
  "OElig Œ oelig œ fnof ƒ circ ˆ tilde ˜ ensp \u2002 emsp \u2003 thinsp \u2009 zwnj \u200c zwj \u200d lrm \u200e rlm \u200f ndash – mdash — " +
  "horbar ― lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › " +
  "oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™ alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ " +
  "hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ " +
  "cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ " +
  "lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ thetasym ϑ upsih ϒ piv ϖ " +
  "inodot ı lstrok ł Lstrok Ł dstrok đ Dstrok Đ hstrok ħ Hstrok Ħ eng ŋ ENG Ŋ frac13 ⅓ frac23 ⅔ frac18 ⅛ frac38 ⅜ frac58 ⅝ frac78 ⅞ " +
  "excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ lsqb [ bsol \\ " +
  "rsqb ] lowbar _ lcub { verbar | rcub } hyphen ‐ dash ‐ male ♂ female ♀ check ✓ cross ✗ star ☆ starf ★";

/** What stands behind a letter's own name, and as a combining character. */
const ACCENTS: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  macr: "\u0304",
  breve: "\u0306",
  dot: "\u0307",
  uml: "\u0308",
  ring: "\u030a",
  dblac: "\u030b",
  caron: "\u030c",
  cedil: "\u0327",
  ogon: "\u0328",
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Without a prototype, so that no name means anything else. */
export function namedLetters(): Record<string, string> {
  const letters: Record<string, string> = Object.assign(Object.create(null), {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
  });
  for (const letter of LETTERS)
    for (const [accent, sign] of Object.entries(ACCENTS)) {
      const whole = (letter + sign).normalize("NFC");
      if (whole.length === 1) letters[letter + accent] = whole;
    }
  const inOrder = (names: string, first: number) => {
    for (const [at, name] of names.split(" ").entries())
      if (name !== "-") letters[name] = String.fromCharCode(first + at);
  };
  inOrder(LATIN_1, 0xa0);
  inOrder(GREEK_CAPITALS, 0x391);
  inOrder(GREEK, 0x3b1);
  const others = OTHERS.split(" ");
  for (let at = 0; at < others.length; at += 2) letters[others[at] ?? ""] = others[at + 1] ?? "";
  return letters;
}
