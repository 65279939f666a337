/**
 * Tells pages the time of the branch they look at: the Clock object, when it changed, at most ten times a second (five while time rushes: each word moves all
 * that follows the clock by more than anybody can read), and only while a page listens. Virtual time has no events of its own to follow, so it is looked at.
 */
export interface ClockListener {
  announce(type: string, objectJson: string): void;
  /** There is no such branch any more, and nothing comes after this. */
  gone(): void;
}

/** A branch that somebody looks at. */
export interface LookedAt {
  /** The Clock object as it is now. */
  readonly clock: () => object;
  /** As fast as the machine can. */
  readonly isRushing?: () => boolean;
  /** Called ten times a second as long as somebody looks (once while time rushes), more often until it says for the first time that nothing is left to do. */
  readonly beat?: () => boolean;
}

export interface ClockFeedsOptions {
  readonly look: (branch: string | undefined) => LookedAt | undefined;
  readonly onDefect: (error: Error) => void;
}

const intervalMs = 100;
/** A page that hears nothing for longer holds the engine for hung: it hears at least that there is nothing to tell. */
const beatMs = 200;
/** Between two beats while the first has something left to do. */
const soonMs = 25;
/** Time that rushes makes as much ready in one turn as in many, and has none to give away. */
const looksOfRush = 10;

/** A feed for each branch that somebody looks at. */
export class ClockFeeds {
  readonly #options: ClockFeedsOptions;
  readonly #feeds = new Map<string | undefined, ClockFeed>();

  constructor(options: ClockFeedsOptions) {
    this.#options = options;
  }

  /** Returns what ends it. */
  follow(branch: string | undefined, listener: ClockListener): () => void {
    const feed = this.#feeds.get(branch) ?? new ClockFeed(() => this.#options.look(branch), this.#options.onDefect);
    this.#feeds.set(branch, feed);
    feed.add(listener);
    return () => {
      feed.remove(listener);
      if (feed.isIdle && this.#feeds.get(branch) === feed) this.#feeds.delete(branch);
    };
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
    this.#feeds.clear();
  }
}

class ClockFeed {
  readonly #find: () => LookedAt | undefined;
  readonly #onDefect: (error: Error) => void;
  readonly #listeners = new Set<ClockListener>();
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #wasReady = false;
  #last = '';
  #looks = 0;
  /** Looks since something was told. */
  #quietLooks = 0;

  constructor(find: () => LookedAt | undefined, onDefect: (error: Error) => void) {
    this.#find = find;
    this.#onDefect = onDefect;
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: ClockListener): void {
    this.#look();
    if (this.#last !== '') listener.announce('CLOCK', this.#last);
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#look(), intervalMs);
  }

  remove(listener: ClockListener): void {
    this.#listeners.delete(listener);
    if (this.isIdle) this.#stop();
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #look(): void {
    let clock: object | undefined;
    this.#looks++;
    try {
      const found = this.#find();
      const isRushing = found?.isRushing?.() === true;
      if (!isRushing || !this.#wasReady || this.#looks % looksOfRush === 0) this.#beat(found);
      if (this.#last !== '' && this.#looks % 2 === 1 && isRushing) {
        this.#quietLooks++;
        return;
      }
      clock = found?.clock();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (clock === undefined) return this.#tellGone();
    const text = JSON.stringify(clock);
    const isNews = text !== this.#last;
    this.#quietLooks = isNews ? 0 : this.#quietLooks + 1;
    this.#last = text;
    if (isNews) for (const listener of this.#listeners) listener.announce('CLOCK', text);
    else if (this.#quietLooks % (beatMs / intervalMs) === 0) for (const listener of this.#listeners) listener.announce('BEAT', '{}');
  }

  #beat(found: LookedAt | undefined): void {
    clearTimeout(this.#soon);
    if (found?.beat === undefined || found.beat()) this.#wasReady = true;
    else if (!this.#wasReady) this.#soon = setTimeout(() => this.#beatAgain(), soonMs);
  }

  #beatAgain(): void {
    try {
      this.#beat(this.#find());
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#stop();
    this.#onDefect(error instanceof Error ? error : new Error(String(error)));
  }

  #tellGone(): void {
    this.#stop();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.gone();
  }

  #stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#timer = undefined;
  }
}
