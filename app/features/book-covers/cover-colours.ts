import { type CoverName, coverName } from "./cover-name.ts";

/** The colours of generated covers. `npm run draw -- cloth` writes them into the style sheet, where covers have them from. */

export interface CoverColours {
  /** The ground's gradient, top to bottom; paper-white text is readable (AA) on both ends. */
  from: string;
  to: string;
  /** The woven field: blocks that lie back, threads half way, threads that come forward. */
  shade: string;
  middle: string;
  light: string;
}

const colours: Record<CoverName, CoverColours> = {
  mathematics: family("#1a5f46", "#0f4230", "#2a7a5c", "#5f9f85", "#a9d3bd"),
  english: family("#9a381e", "#742713", "#b85638", "#d18a72", "#f6d6c9"),
  science: family("#1f5c8b", "#154467", "#3a7bad", "#6da0c7", "#b4d3ea"),
  physics: family("#31426f", "#212e52", "#4c6094", "#7d8db7", "#c0cbe8"),
  chemistry: family("#10605f", "#0a4544", "#26807d", "#5ca5a1", "#a6d8d3"),
  biology: family("#4c6218", "#364810", "#67802b", "#94a85e", "#d3e0a5"),
  history: family("#70451f", "#503013", "#8f6033", "#b68f67", "#ebd1af"),
  geography: family("#735611", "#523d0a", "#93722a", "#bba05e", "#f3e0a6"),
  business: family("#3f4e57", "#2b373e", "#5b6c76", "#8a98a0", "#cad5db"),
  economics: family("#6d2a3f", "#4e1c2b", "#8d4459", "#b67a8a", "#eec4ce"),
  computer: family("#28352f", "#18211d", "#43554c", "#6d8c7b", "#a8d8bb"),
  cambridge: family("#1d5364", "#133b48", "#357286", "#6a9cac", "#b2d6e0"),
  collins: family("#7c3a2a", "#59281c", "#9d5643", "#bf8775", "#efcabb"),
  cgp: family("#5b4a14", "#40340d", "#7b672a", "#aa985c", "#ecdca0"),
  hachette: family("#34497a", "#243459", "#50669b", "#8193bd", "#c5d0ec"),
  "schofield sims": family("#86421a", "#612e10", "#a96033", "#c9906a", "#f6d3b5"),
  skoldo: family("#2c5f50", "#1e4439", "#467f6d", "#76a695", "#b9dccd"),
  plain: family("#46514a", "#303933", "#647067", "#939d94", "#d5dcd2"),
};

/** Every generated cover's colours, also for the link previews drawn from them. */
export const allCoverColours = () => Object.entries(colours) as [CoverName, CoverColours][];

/** The colours for a book. */
export const coverColours = (book: Parameters<typeof coverName>[0]): CoverColours => colours[coverName(book)];

function family(from: string, to: string, shade: string, middle: string, light: string): CoverColours {
  return { from, to, shade, middle, light };
}
