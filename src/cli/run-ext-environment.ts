/** What steers the runtime of this very process and must not reach programs that the extension starts (bun.md §1, §5). */
const RUNTIME_VARIABLE = /^BUN_(BE_BUN|OPTIONS|INSPECT.*|JSC_.*|FEATURE_FLAG_.*)$/;

/** Removes the variables of our own runtime from the environment, and from what later children inherit. */
export function shedRuntimeVariables(): void {
  for (const name of Object.keys(process.env)) {
    if (RUNTIME_VARIABLE.test(name)) delete process.env[name];
  }
  Bun.spawn = withCurrentEnvironment(Bun.spawn);
  Bun.spawnSync = withCurrentEnvironment(Bun.spawnSync);
}

/** Bun.spawn without `env` hands on the environment that the process was started with, not `process.env` as it is now. */
function withCurrentEnvironment<Spawn extends typeof Bun.spawn | typeof Bun.spawnSync>(spawn: Spawn): Spawn {
  return new Proxy(spawn, {
    apply(target, self, args: readonly unknown[]) {
      const [first, second] = args;
      const call = Array.isArray(first) ? [first, withEnvironment(second)] : [withEnvironment(first)];
      return Reflect.apply(target, self, call);
    },
  });
}

function withEnvironment(options: unknown = {}): unknown {
  if (typeof options !== "object" || options === null) return options;
  const hasOwn = "env" in options && options.env !== undefined;
  return hasOwn ? options : { ...options, env: process.env };
}
