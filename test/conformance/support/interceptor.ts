import type { HostWorld } from "../../support/host.ts";

/**
 * Writes an extension in Python that is asked about `event` and answers with what `expression` makes of the `frame`, a
 * dict; it observes the event, too. Gives its directory.
 */
export function interceptor(world: HostWorld, name: string, event: string, expression: string, protocol = 1): string {
  return world.python(
    name,
    `
    hello(protocol_version=${protocol})
    emit("subscribe", events=["${event}"], intercept=["${event}"])
    ready()
    for frame in frames():
        if frame["type"] == "event_intercept":
            emit("event_intercept_response", id=frame["id"], **(${expression}))
    `,
  );
}

/** Python for "nothing to say". */
export const PASS = "{}";
