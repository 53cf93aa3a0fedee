const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/;

/** Only the primary is of use to the shop, and it looks for that itself. */
function withoutTarget(rest: string): string {
  const [path = "", query = ""] = rest.split("?", 2);
  const settings = new URLSearchParams(query);
  settings.delete("target_session_attrs");
  return settings.size > 0 ? `${path}?${settings}` : path;
}

/** A connection string for each server of one that names several: postgres://user@one:5432,two:5432/shop */
export function splitHosts(url: string): string[] {
  const [, start = "", hosts = "", rest = ""] = form.exec(url) ?? [];
  return hosts.includes(",") ? hosts.split(",").map((host) => start + host + withoutTarget(rest)) : [url];
}
