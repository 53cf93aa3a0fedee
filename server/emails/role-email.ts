import { ROLE_NAMES, roleTexts } from "#shared/shop/role-texts.ts";
import { formatMinute } from "#shared/text/dates.ts";
import type { EmailRole } from "./claimed-email.ts";
import type { Block } from "./layout.ts";
import type { Content } from "./payment-email.ts";
import { oneLine, typedText } from "./typed-text.ts";

type RoleName = keyof typeof ROLE_NAMES;
/** Of a role of a later version, the name as it is stored. */
const nameOf = (role: string) => ROLE_NAMES[role as RoleName] ?? role;

const facts = ({ former, role, by_name, at }: EmailRole): Block => ({
  kind: "facts",
  facts: [
    ["Role before", nameOf(former)],
    ["Role now", nameOf(role)],
    ["Changed by", by_name === null ? "a command on the shop's server" : typedText(by_name)],
    ["At", `${formatMinute(at)} (Ghana)`],
  ],
});

const text = (words: string): Block => ({ kind: "text", text: words });

/** To the person whose role it is. */
export function ownRoleChanged(role: EmailRole, siteUrl: string): Content {
  return {
    subject: `your role is now ${nameOf(role.role)}`,
    heading: "Your role has changed",
    blocks: [
      text(
        `${roleTexts[role.role as RoleName] ?? ""} If you didn't expect this, please reply to this email.`.trim(),
      ),
      facts(role),
      ...(role.role === "user"
        ? []
        : [{ kind: "link", label: "Open the back office", url: `${siteUrl}/admin` } as const]),
    ],
  };
}

/** To every other admin, since whoever breaks into an admin's account can give roles. */
export function roleChanged(role: EmailRole, siteUrl: string): Content {
  const person = typedText(role.of_name) || oneLine(role.of_email);
  return {
    subject: `the role of ${person} is now ${nameOf(role.role)}`,
    heading: "A role has changed",
    blocks: [
      text(
        "If neither you nor the other admins expected this, change the role back and change your passwords.",
      ),
      {
        kind: "facts",
        facts: [
          ["Person", person],
          ["Email", oneLine(role.of_email)],
        ],
      },
      facts(role),
      {
        kind: "link",
        label: "Open Users",
        url: `${siteUrl}/admin/users?q=${encodeURIComponent(role.of_email)}`,
      },
    ],
  };
}
