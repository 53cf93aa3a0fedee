/** What a file in workshop/pictures/home and pictures/about gives to the command that delivers it. */
export interface Picture {
  /** Part of the delivered file's name. */
  name: string;
  /** What it shows, for people who do not see it. */
  alt: string;
  width: number;
  height: number;
  /** The whole picture as SVG. */
  draw: () => string;
}
