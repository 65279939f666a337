/**
 * Sets gathered child by child. Objects of one shape are gathered along the same steps, and each step is remembered where it was taken
 * first: all but the first object of a shape make no set, no list of children and no order, they only walk.
 *
 *   start --(f:image, {})--> · --(f:name, {})--> ·  its set: {"f:image":{},"f:name":{}}
 *            `-(f:args, {})--> ·                    its set: {"f:args":{},"f:image":{}}
 */
import { type FieldSet, leaf, makeNode } from './field-set.ts';
import type { SetPool } from './set-pool.ts';

/** What has been gathered so far. Whoever adds a child goes on with what `with` returns. */
export interface Gathered {
  with(element: string, node: FieldSet): Gathered;
  /** The one object for all that is equal to it. */
  readonly set: FieldSet;
}

/** Pods of one template walk the same way but for the few steps that name their addresses. */
const stepsMax = 4_000;
/** Beyond so many children an object is hardly one of many of its shape. */
const depthMax = 48;

export class SetGathering {
  readonly pool: SetPool;
  #steps = 0;
  #member: Step;
  #plain: Step;

  constructor(pool: SetPool) {
    this.pool = pool;
    this.#member = new Step(this, undefined, '', leaf, true);
    this.#plain = new Step(this, undefined, '', leaf, false);
  }

  /** For the members below a node: one that is a member itself, or one that only leads to them. */
  start(isMember: boolean): Gathered {
    return isMember ? this.#member : this.#plain;
  }

  /** Bounded: what is forgotten is only walked anew. */
  count(): void {
    if (++this.#steps <= stepsMax) return;
    this.#steps = 0;
    this.#member = new Step(this, undefined, '', leaf, true);
    this.#plain = new Step(this, undefined, '', leaf, false);
  }
}

class Step implements Gathered {
  readonly #gathering: SetGathering;
  readonly #before: Step | undefined;
  readonly #element: string;
  readonly #node: FieldSet;
  readonly #isMember: boolean;
  readonly #depth: number;
  /** The step that was first taken from here, and those taken since. */
  #first: Step | undefined;
  #others: Map<string, Map<FieldSet, Step>> | undefined;
  #set: FieldSet | undefined;

  constructor(gathering: SetGathering, before: Step | undefined, element: string, node: FieldSet, isMember: boolean) {
    this.#gathering = gathering;
    this.#before = before;
    this.#element = element;
    this.#node = node;
    this.#isMember = isMember;
    this.#depth = before === undefined ? 0 : before.#depth + 1;
  }

  with(element: string, node: FieldSet): Gathered {
    const first = this.#first;
    if (first !== undefined && first.#node === node && first.#element === element) return first;
    if (this.#depth >= depthMax) return new Long(this.#gathering.pool, this.#isMember, this.#children()).with(element, node);
    if (first === undefined) return (this.#first = this.#next(element, node));
    this.#others ??= new Map();
    let alike = this.#others.get(element);
    if (alike === undefined) this.#others.set(element, (alike = new Map()));
    let step = alike.get(node);
    if (step === undefined) alike.set(node, (step = this.#next(element, node)));
    return step;
  }

  get set(): FieldSet {
    if (this.#set === undefined) this.#set = this.#gathering.pool.share(makeNode(this.#isMember, this.#children()));
    return this.#set;
  }

  #next(element: string, node: FieldSet): Step {
    this.#gathering.count();
    return new Step(this.#gathering, this, element, node, this.#isMember);
  }

  #children(): [string, FieldSet][] {
    const before = this.#before;
    if (before === undefined) return [];
    const children = before.#children();
    children.push([this.#element, this.#node]);
    return children;
  }
}

/** Not remembered: thousands of keys that one object has, no other will have. */
class Long implements Gathered {
  readonly #pool: SetPool;
  readonly #isMember: boolean;
  readonly #children: [string, FieldSet][];

  constructor(pool: SetPool, isMember: boolean, children: [string, FieldSet][]) {
    this.#pool = pool;
    this.#isMember = isMember;
    this.#children = children;
  }

  with(element: string, node: FieldSet): Gathered {
    this.#children.push([element, node]);
    return this;
  }

  get set(): FieldSet {
    return this.#pool.share(makeNode(this.#isMember, this.#children));
  }
}
