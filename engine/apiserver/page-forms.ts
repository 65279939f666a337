/** In which form `/flagz` and `/statusz` are answered: text, or an object of config.k8s.io. Mirrors apiserver pkg/server/{flagz,statusz}/negotiate. */
import { newNotAcceptable } from '../apimachinery/errors.ts';
import { type MediaType, type NegotiationInput, parseAccept } from './negotiation.ts';

export type PageKind = 'Flagz' | 'Statusz';

export interface PageForm {
  readonly mediaType: MediaType;
  readonly version: 'v1alpha1' | 'v1beta1';
}

const group = 'config.k8s.io';

/** Undefined for text, which is what who says nothing gets. Throws NotAcceptable; protobuf there is none. */
export function pageFormOf({ accept }: NegotiationInput, kind: PageKind, hasCbor: boolean): PageForm | undefined {
  if (accept.trim() === '') return undefined;
  const served = ['application/json', 'application/yaml', 'text/plain', ...(hasCbor ? ['application/cbor' as const] : [])] as const;
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    const { as, g, v, sv, stream } = parameters;
    if (sv || stream) continue;
    const isPlain = as === undefined && g === undefined && v === undefined;
    const isObject = as === kind && g === group && (v === 'v1alpha1' || v === 'v1beta1');
    for (const mediaType of served) {
      const [ownType, ownSubtype] = mediaType.split('/');
      if ((type !== '*' && type !== ownType) || (subtype !== '*' && subtype !== ownSubtype)) continue;
      if (mediaType === 'text/plain' && isPlain) return undefined;
      if (mediaType !== 'text/plain' && isObject) return { mediaType, version: v };
    }
  }
  throw newNotAcceptable(served);
}

/** What a page's object is called, in the head of an answer too. */
export function pageHead(kind: PageKind, { mediaType, version }: PageForm): { readonly [header: string]: string } {
  const page = kind.toLowerCase();
  const old = { warning: `299 - "This version of the ${page} endpoint is deprecated. Please use a newer version."` };
  return { 'content-type': `${mediaType};g=${group};v=${version};as=${kind}`, ...(version === 'v1alpha1' ? old : {}) };
}

export function pageObject(kind: PageKind, { version }: PageForm, members: object): object {
  return { kind, apiVersion: `${group}/${version}`, metadata: { name: 'apiserver' }, ...members };
}
