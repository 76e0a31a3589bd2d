import type { AttachedSurface } from "./ports.ts";

/** A room that has something to show to whoever comes. */
export interface Tenant {
  /** Shows what it kept. */
  attached(surface: AttachedSurface): void;
  /** The surface is gone; what it was asked is open again. */
  detached?(): void;
}

/** The one surface that is attached, or none yet: extensions may be up before there is a screen (extension-host.md §2.2). */
export class Attachment {
  readonly #tenants: Tenant[] = [];
  #surface: AttachedSurface | undefined;

  get surface(): AttachedSurface | undefined {
    return this.#surface;
  }

  /** Whether a human is there to answer. */
  get interactive(): boolean {
    return this.#surface?.interactive ?? false;
  }

  /** Rooms are served in the order in which they were added. */
  add(tenant: Tenant): void {
    this.#tenants.push(tenant);
  }

  /** Takes the place of the surface before it. Dispose the result to detach it again, which closes nothing. */
  attach(surface: AttachedSurface): Disposable {
    this.#detach();
    this.#surface = surface;
    for (const tenant of this.#tenants) tenant.attached(surface);
    return {
      [Symbol.dispose]: () => {
        if (this.#surface === surface) this.#detach();
      },
    };
  }

  #detach(): void {
    if (this.#surface === undefined) return;
    this.#surface = undefined;
    for (const tenant of this.#tenants) tenant.detached?.();
  }
}
