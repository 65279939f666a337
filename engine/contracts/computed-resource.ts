/**
 * Resources whose objects are computed when read (clocks, timelines, cause chains, scheduling decisions): not in the store, without
 * a revision, outside history.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { KindDefinition } from './kind.ts';
import type { Ask } from './questions.ts';
import type { Identity, PatchType } from './request.ts';

export type ComputedQuery = { readonly [parameter: string]: string };

export interface PageOptions {
  /** 0 where none was asked for. */
  readonly limit: number;
  /** '' for the first page. */
  readonly continue: string;
}

export interface ComputedPage {
  readonly objects: readonly KubeObject[];
  /** Names the next page; absent on the last. */
  readonly continue?: string;
  readonly remaining?: number;
}

/** The writing operations steer the host; none of them changes the cluster's state. */
export interface ComputedResource {
  readonly kind: KindDefinition;
  /** It may have to ask: it is read while the request can still wait, and a watch lists once before its stream begins. */
  readonly asks?: true;
  /** It reads the parameter `limit` itself: its lists have no pages. */
  readonly limitsItself?: true;
  /** Its kind is upstream's, with field numbers, and so are its wire forms. */
  readonly hasProtobuf?: true;
  /** `ask` for what only the outside knows. */
  get(name: string, query: ComputedQuery, namespace: string | undefined, ask: Ask): KubeObject | undefined;
  list(query: ComputedQuery, namespace: string | undefined, ask: Ask): readonly KubeObject[];
  /** Pages of a list that is too long to be made at once, selectors and all; who is not asked for one makes as much as it gives at most. */
  page?(query: ComputedQuery, namespace: string | undefined, options: PageOptions): ComputedPage;
  /** Tells `onChange` which object came, changed or went; returns what ends that. */
  subscribe?(onChange: (namespace: string | undefined, name: string) => void): () => void;
  /**
   * For what changes without anybody saying so (time passes): calls `look` when it may be worth to read the list again, as long as it is
   * followed; returns what ends that. `look` tells whether it was read: who is behind is looked at for later. Absent, as `subscribe`: the resource
   * cannot be watched.
   */
  follow?(look: () => boolean): () => void;
  /** Virtual milliseconds of what is read at this moment, for who follows it. */
  nowMs?(): number;
  /**
   * Does so many steps of what a first reading with this query has to do of all that is there; tells whether nothing of it is left. Who can wait has it done in
   * slices before reading, so that nobody else waits for it in one piece.
   */
  prepare?(most: number, query: ComputedQuery): boolean;
  update?(object: KubeObject, identity: Identity): KubeObject;
  patch?(name: string, document: JsonValue, type: PatchType, identity: Identity): KubeObject;
}
