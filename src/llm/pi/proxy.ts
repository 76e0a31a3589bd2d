import { BlockList, isIP } from "node:net";
import { LlmError } from "../error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How a request travels. `proxy` is `false` for a direct connection, which overrules what the runtime reads by itself. */
export interface Route {
  readonly proxy: string | false;
  /** Says which proxy is used and which variable asked for it, without credentials; "" when direct. */
  readonly description: string;
}

const DIRECT: Route = { proxy: false, description: "" };

/**
 * Decides from the proxy variables, lower case before upper case as curl does. Loopback never goes through a proxy: no proxy
 * could reach the user's own machine, and a dead one must not cut off a local model. `NO_PROXY` is read here because the
 * runtime does not know its CIDR forms. Throws `LlmError` "usage" for a proxy that is no URL.
 */
export function routeFor(url: URL, env: Environment): Route {
  const host = bareHost(url);
  if (isLoopback(host) || isExcluded(host, url, env)) return DIRECT;
  const scheme = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  for (const name of [scheme, scheme.toUpperCase(), "all_proxy", "ALL_PROXY"]) {
    const value = env[name]?.trim();
    if (value === undefined || value === "") continue;
    const proxy = value.includes("://") ? value : `http://${value}`;
    const parsed = URL.parse(proxy);
    if (parsed === null) throw new LlmError("usage", `${name} is not a proxy URL; correct or unset it`);
    return { proxy, description: `${parsed.protocol}//${parsed.host} (${name})` };
  }
  return DIRECT;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("0.0.0.0", "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addAddress("::", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** True for the user's own machine: 127.0.0.0/8, ::1, `localhost` and names under it. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  const family = isIP(bare);
  return family !== 0 && loopback.check(bare, family === 6 ? "ipv6" : "ipv4");
}

function isExcluded(host: string, url: URL, env: Environment): boolean {
  const list = env["no_proxy"] || env["NO_PROXY"] || "";
  const usualPort = url.protocol === "https:" ? "443" : "80";
  const port = url.port === "" ? usualPort : url.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInSubnet(entry, host);
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  const named = /^([^:]+)(?::(\d+))?$/.exec(entry);
  const name = bracketed?.[1] ?? named?.[1] ?? entry;
  const wantedPort = bracketed?.[2] ?? named?.[2];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  return host === domain || host.endsWith(`.${domain}`);
}

function isInSubnet(entry: string, host: string): boolean {
  const [network = "", bits = ""] = entry.split("/");
  const family = isIP(network);
  const prefix = Number(bits);
  const widest = family === 6 ? 128 : 32;
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || prefix > widest) return false;
  const subnet = new BlockList();
  const kind = family === 6 ? "ipv6" : "ipv4";
  subnet.addSubnet(network, prefix, kind);
  return subnet.check(host, kind);
}
