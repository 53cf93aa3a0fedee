import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeEan13 } from "#app/office/stock/labels/ean13.ts";

const [WIDTH, HEIGHT, RATE] = [640, 480, 10];

/** What a camera sees for a while: a barcode's modules, 1 a bar, or a bare table. */
type Scene = {
  modules: string | null;
  seconds: number;
  /** Turned by so many degrees. */
  tilt?: number;
  /** Out of focus: each pixel is the mean of so many to each side. */
  blur?: number;
};

/** The modules of a valid code whose last digit is replaced: bars as any, but a wrong check digit. */
export function withLastDigit(digits: string, last: number): string {
  // Another code that ends with that digit lends its bars.
  for (let number = 0; ; number += 1) {
    const twelve = String(number).padStart(12, "0");
    const lender = encodedIfValid(`${twelve}${last}`);
    if (lender) return encodeEan13(digits).slice(0, 85) + lender.slice(85, 92) + lender.slice(92);
  }
}

function encodedIfValid(digits: string): string | null {
  try {
    return encodeEan13(digits);
  } catch {
    return null;
  }
}

/** Brightness, 0 to 255, of each pixel of a grey table on which a white label with the bars lies. */
function drawFrame({ modules, tilt = 0, blur = 0 }: Scene): Uint8Array {
  const [moduleWidth, barHeight, fine] = [3.6, 150, 3];
  const [cos, sin] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
  const brightness = (x: number, y: number) => {
    if (modules === null) return 120;
    const [dx, dy] = [x - WIDTH / 2, y - HEIGHT / 2];
    const module = (dx * cos + dy * sin) / moduleWidth + modules.length / 2;
    const down = dy * cos - dx * sin;
    if (module < -11 || module > modules.length + 7 || Math.abs(down) > barHeight / 2 + 20) return 120;
    return Math.abs(down) <= barHeight / 2 && modules[Math.floor(module)] === "1" ? 30 : 225;
  };
  const sharp = new Float64Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      let sum = 0;
      for (let n = 0; n < fine * fine; n += 1)
        sum += brightness(x + ((n % fine) + 0.5) / fine, y + (Math.floor(n / fine) + 0.5) / fine);
      sharp[y * WIDTH + x] = sum / (fine * fine);
    }
  const frame = new Uint8Array(WIDTH * HEIGHT);
  for (let at = 0; at < frame.length; at += 1) {
    let sum = 0;
    for (let step = -blur; step <= blur; step += 1) sum += sharp[at + step] ?? 120;
    frame[at] = Math.round(sum / (2 * blur + 1));
  }
  return frame;
}

/**
 * Writes a film that Chromium shows in place of a camera, again and again.
 * @returns how a browser is started with it
 */
export function fakeCamera(scenes: readonly Scene[]): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "fake-camera-")), "frames.y4m");
  const grey = new Uint8Array((WIDTH * HEIGHT) / 2).fill(128);
  const parts: Uint8Array[] = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${RATE}:1 Ip A1:1 C420mpeg2\n`)];
  for (const scene of scenes) {
    const frame = drawFrame(scene);
    for (let shown = 0; shown < scene.seconds * RATE; shown += 1)
      parts.push(Buffer.from("FRAME\n"), frame, grey);
  }
  writeFileSync(file, Buffer.concat(parts));
  return [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-video-capture=${file}`,
  ];
}
