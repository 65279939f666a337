/**
 * Has what nobody tells of looked at again while somebody watches it: in wall time, outside of history, at quiet instants where they come
 * soon enough, and all followers together for no more than a small share of the time.
 */
import type { ComputedResource } from '../contracts/computed-resource.ts';

/** Four times a second; twice while time rushes, where each look is of an instant of its own anyway. */
const paceMs = 250;
const rushMs = 500;
/** After a look a follower rests for so many times as long as it took, times as many as there are followers. */
const restShare = 20;
/** But no longer than somebody takes what he sees for what is so; while time stands the engine has nothing to do that a look would keep it from. */
const restMostMs = 10_000;
const standingRestMostMs = 1_000;
/** How often a loop that is not quiet is asked again before it is looked at between two of its tasks. */
const triesMax = 20;
const tryMs = 5;

export interface LookoutOptions {
  after(delayMs: number, call: () => void): () => void;
  wallMs(): number;
  isQuiet(): boolean;
  isRushing(): boolean;
  isStanding(): boolean;
  /** What differs when anything may have changed. */
  place(): string;
  /** Virtual milliseconds. */
  nowMs(): number;
}

interface Follower {
  readonly look: () => boolean;
  readonly place: () => string;
  seen: string;
  lookedAtMs: number;
  restMs: number;
}

export class Lookout {
  readonly #options: LookoutOptions;
  readonly #followers = new Set<Follower>();
  #cancel: (() => void) | undefined;
  #tries = 0;

  constructor(options: LookoutOptions) {
    this.#options = options;
  }

  /** The resource, which can be watched now. `place` where something else tells of changes than time and the store's revision. */
  over(resource: ComputedResource, place: () => string = () => this.#options.place()): ComputedResource {
    return { ...resource, follow: (look) => this.#follow(look, place), nowMs: () => this.#options.nowMs() };
  }

  #follow(look: () => boolean, place: () => string): () => void {
    const follower: Follower = { look, place, seen: place(), lookedAtMs: 0, restMs: 0 };
    this.#followers.add(follower);
    this.#cancel ??= this.#options.after(this.#paceMs(), () => this.#tick());
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size > 0) return;
      this.#cancel?.();
      this.#cancel = undefined;
    };
  }

  #tick(): void {
    const { after, isQuiet } = this.#options;
    const mayLook = isQuiet() || ++this.#tries >= triesMax;
    if (mayLook) {
      this.#tries = 0;
      for (const follower of [...this.#followers]) if (this.#followers.has(follower)) this.#lookWith(follower);
    }
    this.#cancel = this.#followers.size === 0 ? undefined : after(mayLook ? this.#paceMs() : tryMs, () => this.#tick());
  }

  #paceMs(): number {
    return this.#options.isRushing() ? rushMs : paceMs;
  }

  #lookWith(follower: Follower): void {
    const beganMs = this.#options.wallMs();
    const place = follower.place();
    const mostMs = this.#options.isStanding() ? standingRestMostMs : restMostMs;
    if (place === follower.seen || beganMs < follower.lookedAtMs + Math.min(follower.restMs, mostMs)) return;
    if (!follower.look()) return;
    follower.seen = place;
    follower.lookedAtMs = this.#options.wallMs();
    follower.restMs = (follower.lookedAtMs - beganMs) * restShare * this.#followers.size;
  }
}
