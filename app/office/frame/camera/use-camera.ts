import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { describeCameraProblem } from "./camera-problem.ts";
import { openCamera } from "./open-camera.ts";

type CameraState = "off" | "starting" | "on";

/** The camera of a page: it starts with a click, and stops when the page is hidden or left. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onCode: (code: string) => void) {
  const [state, setState] = useState<CameraState>("off");
  const [problem, setProblem] = useState<string | null>(null);
  const [light, setLight] = useState<{ isOn: boolean; set: (on: boolean) => Promise<void> } | null>(null);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(onCode);
  useEffect(() => {
    latest.current = onCode;
  });

  function stop(why: string | null = null) {
    running.current?.abort();
    running.current = null;
    if (video.current) video.current.srcObject = null;
    setState("off");
    setLight(null);
    setProblem(why);
  }

  async function start() {
    stop();
    if (!video.current) return;
    const controller = new AbortController();
    running.current = controller;
    const fail = (error: unknown) => {
      if (!controller.signal.aborted) stop(describeCameraProblem(error));
    };
    setState("starting");
    try {
      const onLatestCode = (code: string) => latest.current(code);
      const camera = await openCamera(
        video.current,
        { onCode: onLatestCode, onEnd: fail },
        controller.signal,
      );
      if (camera.setLight) setLight({ isOn: false, set: camera.setLight });
      setState("on");
    } catch (error) {
      fail(error);
    }
  }

  const leave = useEffectEvent(() => stop());
  useEffect(() => {
    const onHidden = () => document.hidden && leave();
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      running.current?.abort();
    };
  }, []);

  return {
    state,
    problem,
    start,
    stop: () => stop(),
    /** Null without a lamp. */
    light: light && {
      isOn: light.isOn,
      toggle: () =>
        void light.set(!light.isOn).then(
          () => setLight({ ...light, isOn: !light.isOn }),
          () => setLight(null),
        ),
    },
  };
}
