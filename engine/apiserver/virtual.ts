/**
 * Resources whose objects are computed when read (clocks, timelines, cause chains, scheduling decisions): not in the store, without
 * a revision, outside history.
 */
import type { KindDefinition } from '../contracts/kind.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Identity, PatchType } from '../contracts/request.ts';

export type VirtualQuery = { readonly [parameter: string]: string };

export interface VirtualResource {
  readonly kind: KindDefinition;
  get(name: string, query: VirtualQuery, namespace: string | undefined): KubeObject | undefined;
  list(query: VirtualQuery, namespace: string | undefined): readonly KubeObject[];
  create?(object: KubeObject, identity: Identity, namespace: string | undefined): KubeObject;
  update?(object: KubeObject, identity: Identity): KubeObject;
  patch?(name: string, document: JsonValue, type: PatchType, identity: Identity): KubeObject;
  delete?(name: string, identity: Identity, namespace: string | undefined): KubeObject | undefined;
}
