import type { SettingName } from "#shared/owner/settings.ts";
import { readSettingLines, type SettingLines, settingLines } from "./setting-lines.ts";
import { readSettingText, settingText } from "./setting-text.ts";

/** A setting as an admin edits it: lines of fields, or a text. */
export type SettingDraft = string | SettingLines;

/** Lines that fields can't show are edited as text, so that nothing of them is lost. */
export const settingDraft = (name: SettingName, value: unknown): SettingDraft =>
  settingLines(name, value) ?? settingText(name, value);

/** The value that a draft stands for, or what is wrong with it. */
export const readSettingDraft = (name: SettingName, draft: SettingDraft) =>
  typeof draft === "string" ? readSettingText(name, draft) : readSettingLines(name, draft);
