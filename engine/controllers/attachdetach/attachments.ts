/** What the controller knows of volumes on nodes: upstream's actual state of the world, as data. */
import { assert } from '../../base/assert.ts';
import { flag, nullable, number, oneOf, record, text } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';

export interface Attachment {
  /** `kubernetes.io/csi/driver^handle`. */
  readonly unique: string;
  readonly node: string;
  readonly driver: string;
  readonly handle: string;
  /** Name of the persistent volume. */
  readonly volume: string;
  /** `uncertain`: something failed on the way; it may or may not be attached. */
  state: 'attaching' | 'attached' | 'uncertain' | 'detaching';
  /** Stands in the node's status. */
  reported: boolean;
  /** The node says that it uses it. */
  mounted: boolean;
  detachRequestedMs: number | null;
  /** Of the operation that is under way: when it is looked at next, in which steps, and when it is given up. */
  nextMs: number;
  stepMs: number;
  deadlineMs: number;
  /** Failures in a row, and not before when the next try is made. */
  failures: number;
  retryMs: number;
}

const attachmentCodec = record<Attachment>({
  unique: text,
  node: text,
  driver: text,
  handle: text,
  volume: text,
  state: oneOf('attaching', 'attached', 'uncertain', 'detaching'),
  reported: flag,
  mounted: flag,
  detachRequestedMs: nullable(number),
  nextMs: number,
  stepMs: number,
  deadlineMs: number,
  failures: number,
  retryMs: number,
});

export class Attachments {
  /** By node and volume; a node's name has no space. */
  readonly #all: Map<string, Attachment>;
  /** Volumes on nodes for which pods were told that another node has them. */
  readonly #told: Set<string>;
  /** Derived: keys by volume, and by node. */
  readonly #byVolume = new Map<string, Set<string>>();
  readonly #byNode = new Map<string, Set<string>>();

  constructor(slots: Slots) {
    this.#all = slots.map('attachments', attachmentCodec);
    this.#told = slots.set('multiAttachTold');
    slots.onRestored(() => {
      this.#byVolume.clear();
      this.#byNode.clear();
      for (const [key, one] of this.#all) this.#index(key, one);
    });
  }

  get(unique: string, node: string): Attachment | undefined {
    return this.#all.get(keyOf(unique, node));
  }

  ofVolume(unique: string): readonly Attachment[] {
    return this.#of(this.#byVolume.get(unique));
  }

  ofNode(node: string): readonly Attachment[] {
    return this.#of(this.#byNode.get(node));
  }

  add(one: Pick<Attachment, 'unique' | 'node' | 'driver' | 'handle' | 'volume'>, state: Attachment['state']): Attachment {
    const key = keyOf(one.unique, one.node);
    assert(!this.#all.has(key), 'a volume is on a node once');
    const added: Attachment = {
      ...one,
      state,
      reported: state === 'attached',
      mounted: false,
      detachRequestedMs: null,
      nextMs: 0,
      stepMs: 0,
      deadlineMs: 0,
      failures: 0,
      retryMs: 0,
    };
    this.#all.set(key, added);
    this.#index(key, added);
    return added;
  }

  delete({ unique, node }: Attachment): void {
    const key = keyOf(unique, node);
    this.#all.delete(key);
    for (const [index, value] of [
      [this.#byVolume, unique],
      [this.#byNode, node],
    ] as const) {
      const keys = index.get(value);
      keys?.delete(key);
      if (keys?.size === 0) index.delete(value);
    }
  }

  /** True the first time that it is asked of a volume and a node, until `untell`. */
  tell(unique: string, node: string): boolean {
    const key = keyOf(unique, node);
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }

  untell(unique: string, node: string): void {
    this.#told.delete(keyOf(unique, node));
  }

  /** Forgets of a volume what was told of other nodes than these. */
  untellAllBut(unique: string, nodes: ReadonlySet<string>): void {
    for (const key of this.#told) if (key.endsWith(` ${unique}`) && !nodes.has(key.slice(0, key.indexOf(' ')))) this.#told.delete(key);
  }

  #of(keys: ReadonlySet<string> | undefined): readonly Attachment[] {
    return [...(keys ?? [])].sort().map((key) => this.#all.get(key) as Attachment);
  }

  #index(key: string, { unique, node }: Attachment): void {
    for (const [index, value] of [
      [this.#byVolume, unique],
      [this.#byNode, node],
    ] as const) {
      const keys = index.get(value) ?? new Set();
      index.set(value, keys.add(key));
    }
  }
}

function keyOf(unique: string, node: string): string {
  return `${node} ${unique}`;
}
