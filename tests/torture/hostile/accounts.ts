import fc from "fast-check";
import { bodyOf, jsonType, query, record, request } from "./parts.ts";
import { encoded } from "./words.ts";

export const accounts = request({
  method: fc.constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE", "PATCH"),
  target: fc
    .tuple(
      fc.constantFrom(
        "signup",
        "token",
        "token?grant_type=password",
        "token?grant_type=refresh_token",
        "token?grant_type=pkce",
        "verify",
        "recover",
        "resend",
        "user",
        "settings",
        "health",
        "logout?scope=nonsense",
        "otp",
        "admin/users",
        "authorize?provider=x",
        "callback",
        "sso",
        "factors",
      ),
      query(
        fc.tuple(
          fc.constantFrom("redirect_to", "type", "token", "grant_type", "scope", "code"),
          fc.oneof(
            encoded,
            fc.constantFrom(
              "https://evil.example",
              "//evil.example",
              "javascript:alert(1)",
              "signup",
              "recovery",
              "invite",
            ),
          ),
        ),
      ),
    )
    .map(([call, search]) => `/auth/v1/${call}${call.includes("?") ? search.replace("?", "&") : search}`),
  headers: fc.constantFrom<[string, string][]>([jsonType], [jsonType], [["Content-Type", "text/plain"]]),
  body: bodyOf(
    record(
      fc.constantFrom(
        "email",
        "password",
        "phone",
        "data",
        "refresh_token",
        "token",
        "token_hash",
        "type",
        "code_challenge",
        "code_challenge_method",
        "gotrue_meta_security",
        "redirect_to",
        "nonce",
        "id",
        "role",
        "app_metadata",
      ),
    ),
  ),
});
