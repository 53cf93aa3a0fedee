import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { writtenIsbn } from "#app/features/books/isbn.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { allowBeeps, beep, buzz } from "./beep.ts";
import { readMessage, sendMessage } from "./camera-messages.ts";
import { useCamera } from "./use-camera.ts";

const quiet = createStoredItem("local", "quiet-scans");

/** Interval of retries, because phones suspend pages in the background. */
const RESEND_MS = 2_000;

type Read = { id: number; code: string; isReceived: boolean };

/** Reads barcodes and sends each to the page that opened this window. */
export function CameraPage() {
  const video = useRef<HTMLVideoElement>(null);
  // Increases even when this window is reloaded.
  const lastId = useRef(0);
  const [opener] = useState(() => window.opener as Window | null);
  const [codes, setCodes] = useState<readonly Read[]>([]);
  const [result, setResult] = useState<{ text: string; isProblem: boolean } | null>(null);
  const [isQuiet, setQuiet] = useState(() => quiet.read() === true);
  const camera = useCamera(video, (code) => {
    if (!isQuiet) beep();
    buzz();
    lastId.current = Math.max(lastId.current + 1, Date.now());
    const id = lastId.current;
    setCodes((before) => [{ id, code, isReceived: false }, ...before]);
  });
  const waiting = codes.filter(({ isReceived }) => !isReceived);
  useDelivery(opener, waiting, {
    onReceived: (id) =>
      setCodes((before) => before.map((one) => (one.id === id ? { ...one, isReceived: true } : one))),
    onResult: setResult,
  });

  return (
    <main className="mx-auto flex min-h-dvh max-w-xl flex-col gap-4 bg-surface p-4 text-15">
      <h1 className="text-25">Scan with the camera</h1>
      <div className="relative overflow-hidden rounded-card bg-ink">
        <video ref={video} playsInline muted className="aspect-4/3 w-full object-cover" />
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-8 top-1/2 h-28 -translate-y-1/2 rounded-control border-2 border-white/80"
        />
      </div>
      {camera.problem && (
        <p role="alert" className="font-semibold text-clay">
          {camera.problem}
        </p>
      )}
      <p
        role="status"
        className={`min-h-6 text-17 wrap-anywhere ${result?.isProblem ? "font-semibold text-clay" : ""}`}
      >
        {result?.text ?? (camera.state === "on" ? "Hold a book's barcode in the frame." : "")}
      </p>
      {!opener && (
        <p>
          No page is waiting for these codes. Open the camera with the button Scan with Camera, in Receiving,
          a count, Books or Stock card.
        </p>
      )}
      {opener && waiting.length > 0 && (
        <p className="text-muted">
          {waiting.length === 1
            ? "1 code isn't in the list yet. It'll"
            : `${waiting.length} codes aren't in the list yet. They'll`}{" "}
          be sent when you close the camera, if not before.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {camera.state === "off" ? (
          <Button
            onClick={() => {
              allowBeeps();
              void camera.start();
            }}
          >
            <OfficeIcon name="camera" size={18} />
            Start Camera
          </Button>
        ) : (
          <Button variant="secondary" busy={camera.state === "starting"} onClick={camera.stop}>
            Stop Camera
          </Button>
        )}
        {camera.light && (
          <Button variant="secondary" aria-pressed={camera.light.isOn} onClick={camera.light.toggle}>
            Light
          </Button>
        )}
        <Button
          variant="secondary"
          aria-pressed={!isQuiet}
          onClick={() => {
            quiet.write(!isQuiet);
            setQuiet(!isQuiet);
          }}
        >
          Sound
        </Button>
        {opener && (
          <Button variant="secondary" onClick={() => window.close()}>
            Done
          </Button>
        )}
      </div>
      {codes.length > 0 && (
        <section aria-label="Codes read">
          <h2 className="text-17">{codes.length === 1 ? "1 scan" : `${codes.length} scans`}</h2>
          <ol reversed className="figures mt-1 list-inside text-muted">
            {codes.slice(0, 20).map(({ id, code }) => (
              <li key={id}>{writtenIsbn(code)}</li>
            ))}
          </ol>
        </section>
      )}
    </main>
  );
}

type DeliveryListeners = {
  onReceived: (id: number) => void;
  onResult: (result: { text: string; isProblem: boolean }) => void;
};

/** Sends codes to the opener until it acknowledges each, and receives the results. */
function useDelivery(
  opener: Window | null,
  waiting: readonly Read[],
  { onReceived, onResult }: DeliveryListeners,
) {
  const onMessage = useEffectEvent((event: MessageEvent) => {
    const received = readMessage(event, opener, "received-code");
    if (received) onReceived(received.id);
    const result = readMessage(event, opener, "scan-result");
    if (result) onResult({ text: result.text, isProblem: result.isProblem });
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => onMessage(event);
    window.addEventListener("message", listen);
    return () => window.removeEventListener("message", listen);
  }, []);

  const sent = useRef(0);
  const send = useEffectEvent((isAgain: boolean) => {
    if (!opener || opener.closed) return;
    // The oldest first.
    for (const { id, code } of [...waiting].reverse()) {
      if (!isAgain && id <= sent.current) continue;
      sent.current = Math.max(sent.current, id);
      sendMessage(opener, { type: "scanned-code", id, code });
    }
  });
  const newest = waiting[0]?.id;
  useEffect(() => {
    if (newest !== undefined) send(false);
  }, [newest]);
  useEffect(() => {
    const timer = setInterval(() => send(true), RESEND_MS);
    return () => clearInterval(timer);
  }, []);
}
