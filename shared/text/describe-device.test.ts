import { expect, test } from "vitest";
import { describeDevice } from "./describe-device.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
const android = "Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${windows} Chrome/130.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${windows} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`, "Edge on Windows"],
  [`${android} Chrome/130.0 Mobile Safari/537.36`, "Chrome on an Android phone"],
  [
    `${android} SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36`,
    "Samsung Internet on an Android phone",
  ],
  [`${android} Chrome/130.0 Safari/537.36`, "Chrome on an Android tablet"],
  ["Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0", "Firefox on an Android phone"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Safari on an iPhone",
  ],
  [
    "Opera/9.80 (Android; Opera Mini/36.2/191.256; U; en) Presto/2.12.423 Version/12.16",
    "Opera on an Android phone",
  ],
  ["node", "Unknown device"],
  ["", "Unknown device"],
  [null, "Unknown device"],
])("%s is %s", (agent, words) => expect(describeDevice(agent)).toBe(words));
