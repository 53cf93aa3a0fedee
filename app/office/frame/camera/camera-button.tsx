import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { CAMERA_PAGE } from "#shared/shop/camera-page.ts";
import { readMessage, sendMessage } from "./camera-messages.ts";

type CameraButtonProps = {
  onScan: (code: string) => void;
  /** The result of the last scan and the newest problem, shown in the camera's window too. */
  result?: { id: number; text: string };
  problem?: { id: number | string; message: string };
};

/** On phones: opens the camera in its own window, which sends each code here. It closes with this page. */
export function CameraButton({ onScan, result, problem }: CameraButtonProps) {
  const camera = useRef<Window | null>(null);
  const lastId = useRef(0);

  const onMessage = useEffectEvent((event: MessageEvent) => {
    const message = readMessage(event, camera.current, "scanned-code");
    if (!message || !camera.current) return;
    sendMessage(camera.current, { type: "received-code", id: message.id });
    // A duplicate, sent again while this page was suspended.
    if (message.id <= lastId.current) return;
    lastId.current = message.id;
    onScan(message.code);
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => onMessage(event);
    const close = () => camera.current?.close();
    window.addEventListener("message", listen);
    window.addEventListener("pagehide", close);
    return () => {
      window.removeEventListener("message", listen);
      window.removeEventListener("pagehide", close);
      close();
    };
  }, []);
  useEffect(() => {
    if (result?.text && camera.current)
      sendMessage(camera.current, { type: "scan-result", text: result.text, isProblem: false });
  }, [result]);
  useEffect(() => {
    if (problem && camera.current)
      sendMessage(camera.current, { type: "scan-result", text: problem.message, isProblem: true });
  }, [problem]);

  function open() {
    camera.current = window.open(CAMERA_PAGE, "_blank");
  }
  return (
    <Button variant="secondary" className="hidden! pointer-coarse:inline-flex!" onClick={open}>
      <OfficeIcon name="camera" size={18} />
      Scan with Camera
    </Button>
  );
}
