import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { routeFor } from "../../src/llm/pi/proxy.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { ask, failure, openAt, VENDORS, type Vendor } from "./asking.ts";

const DEAD = "http://127.0.0.1:9";
const ALL_DEAD = {
  HTTP_PROXY: DEAD,
  HTTPS_PROXY: DEAD,
  ALL_PROXY: DEAD,
  http_proxy: DEAD,
  https_proxy: DEAD,
  all_proxy: DEAD,
};

async function askInProcess(vendor: Vendor, server: ModelServer, host: string, env: Record<string, string>) {
  const child = Bun.spawn({
    cmd: [
      process.execPath,
      join(import.meta.dir, "fixtures", "ask-once.ts"),
      vendor,
      server.url(vendor).replace("127.0.0.1", host),
    ],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  return {
    text: (await new Response(child.stdout).text()).trim(),
    errors: await new Response(child.stderr).text(),
    code: await child.exited,
  };
}

test.each([
  ["anthropic", "127.0.0.1", {}],
  ["openai", "127.0.0.1", { NO_PROXY: "127.0.0.0/8" }],
  ["openai", "localhost", { NO_PROXY: "example.org", no_proxy: "" }],
] as const)("a dead proxy does not cut off %s at %s", async (vendor, host, env) => {
  await using server = await startModelServer([{ text: "reached" }]);
  expect(await askInProcess(vendor, server, host, { ...ALL_DEAD, ...env })).toEqual({
    text: "reached",
    errors: "",
    code: 0,
  });
});

describe.each(VENDORS)("a service of %s that is not on loopback", (vendor) => {
  const away = { baseUrl: vendor === "openai" ? "http://model.example/v1" : "http://model.example" };

  test("is asked through the proxy", async () => {
    await using server = await startModelServer([{ text: "through" }]);
    const asked: string[] = [];
    await using proxy = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        asked.push(request.url);
        const target = new URL(request.url);
        const { method, headers } = request;
        const body = await request.text();
        return fetch(`http://127.0.0.1:${server.port}${target.pathname}`, { method, headers, body, proxy: false });
      },
    });
    const env = { http_proxy: `127.0.0.1:${proxy.port}` };
    expect((await ask(await openAt(server, vendor, { ...away, env }))).text).toBe("through");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toStartWith("http://model.example/");
  });

  test("and is not reached: the error names the proxy, without its password", async () => {
    await using server = await startModelServer([]);
    const env = { HTTP_PROXY: "http://user:pass-word@127.0.0.1:9" };
    const error = await failure(ask(await openAt(server, vendor, { ...away, env })));
    expect(error.code).toBe("network");
    expect(error.message).toContain(`no connection to ${vendor} at model.example`);
    expect(error.message).toContain("through the proxy http://127.0.0.1:9 (HTTP_PROXY)");
    expect(error.message).not.toContain("pass-word");
  });

  test("and a proxy that is none is named", async () => {
    await using server = await startModelServer([]);
    const error = await failure(ask(await openAt(server, vendor, { ...away, env: { HTTP_PROXY: "http://" } })));
    expect(error.code).toBe("usage");
    expect(error.message).toContain("HTTP_PROXY");
  });
});

describe("the way of a request", () => {
  const env = { https_proxy: "http://p:1", HTTP_PROXY: "p:2", ALL_PROXY: "http://p:3" };
  const way = (url: string, noProxy?: string): string | false =>
    routeFor(new URL(url), noProxy === undefined ? env : { ...env, NO_PROXY: noProxy }).proxy;

  test.each([
    "http://127.0.0.1/",
    "http://127.8.9.1:8080/",
    "http://localhost:1234/",
    "http://LOCALHOST/",
    "http://api.localhost/",
    "http://[::1]:80/",
    "http://[::ffff:127.0.0.1]/",
    "http://0.0.0.0:11434/",
  ])("to the own machine is direct: %s", (url) => {
    expect(way(url)).toBe(false);
  });

  test("to others goes by scheme, lower case first", () => {
    expect(way("https://a.example/")).toBe("http://p:1");
    expect(way("http://a.example/")).toBe("http://p:2");
    expect(routeFor(new URL("http://a.example/"), { ALL_PROXY: "http://p:3" }).proxy).toBe("http://p:3");
    expect(routeFor(new URL("http://a.example/"), { http_proxy: " " }).proxy).toBe(false);
    expect(way("http://127.0.0.1.example/")).toBe("http://p:2");
  });

  test.each([
    ["http://a.example/", "*"],
    ["http://a.example/", "other, a.example"],
    ["http://a.example/", ".example"],
    ["http://a.b.example/", "*.b.example"],
    ["http://b.example/", "*.b.example"],
    ["http://sub.a.example/", "a.example"],
    ["http://a.example:8080/", "a.example:8080"],
    ["http://a.example/", "a.example:80"],
    ["http://10.1.2.3/", "10.0.0.0/8"],
    ["http://[fd00::5]/", "fd00::/8"],
    ["http://[fd00::5]:81/", "[fd00::5]:81"],
  ])("to %s is direct when NO_PROXY is %s", (url, noProxy) => {
    expect(way(url, noProxy)).toBe(false);
  });

  test.each([
    ["http://a.example/", "b.example"],
    ["http://a.example/", "a.example:81"],
    ["http://nota.example/", "a.example"],
    ["http://11.1.2.3/", "10.0.0.0/8"],
    ["http://10.1.2.3/", "10.0.0.0/99"],
    ["http://a.example/", "10.0.0.0/8"],
    ["http://a.example/", "/"],
  ])("to %s is by proxy when NO_PROXY is %s", (url, noProxy) => {
    expect(way(url, noProxy)).toBe("http://p:2");
  });
});
