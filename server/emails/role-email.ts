import { formatMinute } from "#shared/text/dates.ts";
import type { EmailRole } from "./claimed-email.ts";
import type { Block } from "./layout.ts";
import type { Content } from "./payment-email.ts";
import { oneLine, typedText } from "./typed-text.ts";

const roleNames: Readonly<Record<string, string>> = {
  user: "customer",
  moderator: "moderator",
  admin: "admin",
};

const means: Readonly<Record<string, string>> = {
  user: "You no longer have access to the back office.",
  moderator: "You can now open what your duties cover in the back office.",
  admin: "You can now see and change everything in the back office, other people's roles included.",
};

const nameOf = (role: string) => roleNames[role] ?? role;

const withArticle = (role: string) => `${role === "admin" ? "an" : "a"} ${nameOf(role)}`;

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
    subject: `you are now ${withArticle(role.role)}`,
    heading: "Your role has changed",
    blocks: [
      text(`${means[role.role] ?? ""} If you didn't expect this, please reply to this email.`.trim()),
      facts(role),
      ...(role.role === "user"
        ? []
        : [{ kind: "link", label: "Open the back office", url: `${siteUrl}/admin` } as const]),
    ],
  };
}

/** To every other admin: whoever gets into an admin's account can give roles. */
export function roleChanged(role: EmailRole, siteUrl: string): Content {
  const person = typedText(role.of_name) || oneLine(role.of_email);
  return {
    subject: `a role has changed: ${person} is now ${withArticle(role.role)}`,
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
