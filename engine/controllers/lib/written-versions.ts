/**
 * The versions of what a controller wrote for an owner, so that it does not act for it again on caches that are older than its own
 * deeds. Mirrors pkg/controller/util/consistency; plain data.
 */
import { mapOf, number, record } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { ResourceType } from '../../client/client.ts';

interface Written {
  /** Newest version by resource. */
  readonly versions: Map<string, number>;
  atMs: number;
}

/** What was written and deleted between two lists of a cache is never seen in it: then the wait ends anyway. */
const timeoutMs = 5 * 60_000;

export class WrittenVersions {
  readonly #nowMs: () => number;
  readonly #byOwner: Map<string, Written>;
  /** Newest version that the caches have delivered, by resource. */
  readonly #seen: Map<string, number>;

  constructor(nowMs: () => number, slots: Slots) {
    this.#nowMs = nowMs;
    this.#byOwner = slots.map('written', record<Written>({ versions: mapOf(number), atMs: number }));
    this.#seen = slots.map('seen', number);
  }

  /** The owner's controller has written this object. */
  wrote(owner: string, { resource }: ResourceType, object: KubeObject): void {
    const version = versionOf(object);
    if (version === undefined) return;
    const written = this.#byOwner.get(owner) ?? { versions: new Map<string, number>(), atMs: 0 };
    written.atMs = this.#nowMs();
    if (version > (written.versions.get(resource) ?? 0)) written.versions.set(resource, version);
    this.#byOwner.set(owner, written);
  }

  /** A cache has delivered this object. */
  saw({ resource }: ResourceType, object: KubeObject): void {
    const version = versionOf(object);
    if (version !== undefined && version > (this.#seen.get(resource) ?? 0)) this.#seen.set(resource, version);
  }

  /** Why the owner has to wait; undefined when all that was written for it has been seen. */
  missing(owner: string): string | undefined {
    const written = this.#byOwner.get(owner);
    if (written === undefined) return undefined;
    if (this.#nowMs() - written.atMs <= timeoutMs) {
      for (const [resource, version] of written.versions) {
        const seen = this.#seen.get(resource) ?? 0;
        if (version > seen) return `read version: ${seen} is not as new as written version: ${version} for group resource ${resource}`;
      }
    }
    this.#byOwner.delete(owner);
    return undefined;
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
  }
}

function versionOf({ metadata: { resourceVersion } }: KubeObject): number | undefined {
  const version = Number(resourceVersion);
  return resourceVersion !== undefined && Number.isSafeInteger(version) ? version : undefined;
}
