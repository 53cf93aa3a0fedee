/** The roles as pages and emails call them. */
export const ROLE_NAMES = { user: "User", moderator: "Moderator", admin: "Admin" };

/** What each role allows. */
export const roleTexts: Readonly<Record<keyof typeof ROLE_NAMES, string>> = {
  user: "A user may shop like any customer, and keeps any duties.",
  moderator: "A moderator may see reviews with their authors, and hide or show them. Nothing else.",
  admin:
    "An admin may do everything: see all customers and orders, record and refund money, change settings, and assign or remove everyone's roles.",
};
