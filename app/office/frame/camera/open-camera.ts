import { openCodeReader } from "./open-code-reader.ts";
import { createSightings } from "./sightings.ts";

/** Between two frames: fast enough to read a code within 0.2 s, and slow enough for a phone's processor. */
const PAUSE_MS = 80;

/** https://w3c.github.io/mediacapture-image/, which TypeScript's library lacks. */
type Torch = { torch?: boolean };

type Camera = {
  /** Switches the phone's lamp; null without one. */
  setLight: ((on: boolean) => Promise<void>) | null;
};

type Listeners = {
  /** A code came into view. */
  onCode: (code: string) => void;
  /** The device or another app has ended it, or reading has failed. */
  onEnd: (error: unknown) => void;
};

/**
 * Shows the phone's camera in a video element and reads the codes in it. No picture leaves the page.
 * @param signal ends it, at any time
 * @throws what getUserMedia throws, and a failed download
 */
export async function openCamera(
  video: HTMLVideoElement,
  { onCode, onEnd }: Listeners,
  signal: AbortSignal,
): Promise<Camera> {
  if (!navigator.mediaDevices) throw new DOMException("A camera needs https", "NotSupportedError");
  const opening = navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1_280 }, height: { ideal: 720 } },
  });
  // A camera that opens after the abort must not stay on.
  opening.then(
    (stream) => {
      const end = () => endTracks(stream);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    },
    () => {},
  );
  const [stream, read] = await Promise.all([opening, openCodeReader()]);
  signal.throwIfAborted();
  const [track] = stream.getVideoTracks();
  if (!track) throw new DOMException("No picture", "NotFoundError");
  track.addEventListener("ended", () => {
    if (!signal.aborted) onEnd(new DOMException("The camera has ended", "NotReadableError"));
  });
  video.srcObject = stream;
  await video.play();

  const isNew = createSightings();
  async function look() {
    if (signal.aborted) return;
    try {
      for (const code of await read(video))
        if (isNew(code, performance.now()) && !signal.aborted) onCode(code);
      setTimeout(look, PAUSE_MS);
    } catch (error) {
      if (!signal.aborted) onEnd(error);
    }
  }
  void look();

  const hasTorch = (track.getCapabilities?.() as Torch | undefined)?.torch ?? false;
  return {
    setLight: hasTorch
      ? (on) => track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] })
      : null,
  };
}

function endTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
