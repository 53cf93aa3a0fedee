let context: AudioContext | undefined;

/** Lets later beeps sound; browsers allow that only while a click is handled. */
export function allowBeeps(): void {
  context ??= new AudioContext();
  void context.resume().catch(() => {});
}

/** A short tone for a code that was read. */
export function beep(): void {
  if (context?.state !== "running") return;
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = 1_320;
  volume.gain.value = 0.15;
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.09);
}

/** A short vibration, where the device has it and its user does not ask for less motion. */
export function buzz(): void {
  if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(60);
}
