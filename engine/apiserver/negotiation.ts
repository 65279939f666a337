/**
 * Content negotiation: what form an answer takes, what form a body has. Mirrors apiserver pkg/endpoints/handlers/negotiation and the
 * transformations of pkg/endpoints/handlers/response.go.
 */
import { mediaTypeOf } from './content-type.ts';
import { getOwn, setOwn } from '../base/dictionary.ts';
import type { PatchType } from '../contracts/request.ts';
import { newNotAcceptable, newStatusError, newUnsupportedMediaType } from '../apimachinery/errors.ts';
import { goBool } from '../apimachinery/go-bool.ts';

export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf' | 'application/cbor';

export type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface OutputForm {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  readonly transform?: Transform;
  /** Of meta.k8s.io, for the transform. */
  readonly transformVersion: 'v1' | 'v1beta1';
}

export const mediaTypes: readonly MediaType[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
/** What a watch in each form is called in answers, and in lists of what is served; YAML has no streams. */
const streams: { readonly [type in MediaType]?: { readonly answered: string; readonly listed: string } } = {
  'application/json': { answered: 'application/json', listed: 'application/json;stream=watch' },
  'application/vnd.kubernetes.protobuf': {
    answered: 'application/vnd.kubernetes.protobuf;stream=watch',
    listed: 'application/vnd.kubernetes.protobuf;stream=watch',
  },
  'application/cbor': { answered: 'application/cbor-seq', listed: 'application/cbor-seq' },
};

/** The forms that resources are served in; what is no resource, and what refuses a request before it comes to one, has the first three. */
export function mediaTypesWith(featureEnabled: (gate: string) => boolean): readonly MediaType[] {
  return featureEnabled('CBORServingAndStorage') ? [...mediaTypes, 'application/cbor'] : mediaTypes;
}

export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: { readonly [name: string]: string };
}

/** By falling quality, then as written. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const [range = '', ...rest] = part.split(';');
    const [type = '', ...subtypes] = range.trim().split('/');
    const subtype = subtypes.length === 0 && type === '*' ? '*' : subtypes[0];
    if (type === '' || subtype === undefined || subtypes.length > 1) continue;
    const parameters: { [name: string]: string } = {};
    let quality = 1;
    for (const text of rest) {
      const [name = '', value = ''] = text.split('=', 2).map((side) => side.trim());
      if (name === 'q') quality = Number(value) || 0;
      else setOwn(parameters, name, value);
    }
    clauses.push({ type, subtype, quality, parameters });
  }
  return clauses.sort((a, b) => b.quality - a.quality);
}

export interface NegotiationInput {
  readonly accept: string;
  readonly pretty: string | undefined;
  readonly userAgent: string;
  /** Before they were stable: Tables and partial metadata have v1beta1 only, and watches have none. */
  readonly hasBetaFormsOnly?: true;
  /** The forms that are served; the usual ones when absent. */
  readonly served?: readonly MediaType[];
}

/** What may be asked for here beside the answer as it is. */
export type Transforms = 'nothing' | 'metadata' | 'metadata and tables';

export function negotiateOutput(input: NegotiationInput, transforms: Transforms): OutputForm {
  const form = findForm(input, transforms);
  if (form === undefined) throw newNotAcceptable(servedTo(input));
  return form;
}

function servedTo({ served = mediaTypes }: NegotiationInput): readonly MediaType[] {
  return served;
}

/** What a body says of its type must be something that a route takes, even if nobody reads the body. */
export function checkRouteBody(contentType: string, taken: readonly string[]): void {
  if (contentType.split(',').some((part) => taken.includes(part.split(';', 1)[0]?.trim() ?? ''))) return;
  throw newStatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/**
 * Throws NotAcceptable where none of the types that a client takes is served, whatever it asks of them: a router looks no further, and knows
 * no `application/*`. Mirrors emicklei/go-restful (Route.matchesAccept).
 */
export function negotiateRoute(accept: string, served: readonly string[]): void {
  const isTaken = (part: string): boolean => {
    const type = part.split(';', 1)[0]?.trim() ?? '';
    return type === '*/*' || served.includes(type);
  };
  if (accept === '' || accept.split(',').some(isTaken)) return;
  throw newStatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${served.join(', ')}`, {});
}

/** The same of what has no protobuf form. Throws NotAcceptable, as upstream of custom resources. */
export function negotiateText(input: NegotiationInput, transforms: Transforms): OutputForm {
  const form = findForm(input, transforms, (mediaType) => mediaType !== 'application/vnd.kubernetes.protobuf');
  if (form === undefined) throw newNotAcceptable(servedTo(input));
  return form;
}

/** Watches come in every form but YAML; who would rather have YAML is not asked what else. */
export function negotiateStream(input: NegotiationInput): OutputForm {
  const form = findForm(input, input.hasBetaFormsOnly === true ? 'nothing' : 'metadata and tables');
  if (form === undefined || streams[form.mediaType] === undefined) throw newNotAcceptable(streamTypes(servedTo(input)));
  return form;
}

/** The forms of watches. */
export function streamTypes(served: readonly MediaType[]): readonly string[] {
  return served.flatMap((mediaType) => streams[mediaType]?.listed ?? []);
}

/** What the answer to a watch says that it is. */
export function streamTypeOf(mediaType: MediaType): string {
  return streams[mediaType]?.answered ?? mediaType;
}

/** The form of an error: what was asked for without transformations, else JSON to be looked at. */
export function negotiateError(input: NegotiationInput): OutputForm {
  return findForm(input, 'nothing') ?? { mediaType: 'application/json', pretty: true, transformVersion: 'v1' };
}

function findForm(input: NegotiationInput, transforms: Transforms, allows: (mediaType: MediaType) => boolean = () => true): OutputForm | undefined {
  const pretty = isPretty(input);
  const { accept } = input;
  if (accept === '') return { mediaType: 'application/json', pretty, transformVersion: 'v1' };
  // What most programs send has nothing to read.
  const served = servedTo(input);
  const plain = served.find((mediaType) => mediaType === accept);
  if (plain !== undefined) return allows(plain) ? { mediaType: plain, pretty, transformVersion: 'v1' } : undefined;
  for (const clause of parseAccept(accept)) {
    for (const mediaType of served) {
      if (!covers(clause, mediaType) || !allows(mediaType)) continue;
      const form = acceptClause(clause, mediaType, pretty, transforms);
      if (form !== undefined && !(input.hasBetaFormsOnly === true && clause.parameters['v'] === 'v1')) return form;
    }
  }
  return undefined;
}

function covers(clause: AcceptClause, mediaType: MediaType): boolean {
  if (clause.type === '*' && clause.subtype === '*') return true;
  return clause.type === 'application' && (clause.subtype === '*' || mediaType === `application/${clause.subtype}`);
}

/** Tables are for people: binary forms have none. */
const tableTypes: readonly MediaType[] = ['application/json', 'application/yaml'];

function acceptClause(clause: AcceptClause, mediaType: MediaType, pretty: boolean, transforms: Transforms): OutputForm | undefined {
  const { as, g, v, stream, sv, pretty: wantsPretty } = clause.parameters;
  if (sv) return undefined;
  if (stream && (stream !== 'watch' || streams[mediaType] === undefined)) return undefined;
  const form = { mediaType, pretty: pretty || wantsPretty === '1', transformVersion: v === 'v1beta1' ? ('v1beta1' as const) : ('v1' as const) };
  if (as === undefined && g === undefined && v === undefined) return form;
  if (transforms === 'nothing' || g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1')) return undefined;
  if (as === 'Table') return transforms === 'metadata' || !tableTypes.includes(mediaType) ? undefined : { ...form, transform: as };
  if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return { ...form, transform: as };
  return undefined;
}

const prettyAgents: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];

function isPretty(input: NegotiationInput): boolean {
  const { pretty } = input;
  if (pretty !== undefined && pretty !== '') return goBool(pretty) === true;
  return prettyAgents.some((agent) => input.userAgent.startsWith(agent));
}

/** The form of a body; an absent Content-Type is JSON. */
export function bodyMediaType(contentType: string, served: readonly MediaType[] = mediaTypes): MediaType {
  if (contentType === '') return 'application/json';
  const plain = mediaTypeOf(contentType);
  const found = served.find((mediaType) => mediaType === plain);
  if (found === undefined) throw newUnsupportedMediaType(served);
  return found;
}

/** What a patch is, and what it is written in. */
export interface PatchForm {
  readonly type: PatchType;
  readonly mediaType: MediaType;
}

const patchForms: { readonly [contentType: string]: PatchForm } = {
  'application/json-patch+json': { type: 'json', mediaType: 'application/json' },
  'application/merge-patch+json': { type: 'merge', mediaType: 'application/json' },
  'application/strategic-merge-patch+json': { type: 'strategic', mediaType: 'application/json' },
  'application/apply-patch+yaml': { type: 'apply', mediaType: 'application/yaml' },
  'application/apply-patch+cbor': { type: 'apply', mediaType: 'application/cbor' },
};

/** Custom resources have no strategic merge patch. */
export function patchFormOf(
  contentType: string,
  served: { readonly strategic: boolean; readonly apply: boolean; readonly mediaTypes: readonly MediaType[] },
): PatchForm {
  const isServed = ({ type, mediaType }: PatchForm): boolean =>
    served.mediaTypes.includes(mediaType) && ((type !== 'strategic' && type !== 'apply') || served[type]);
  const asked = getOwn(patchForms, contentType.split(';', 1)[0] ?? '');
  if (asked !== undefined && isServed(asked)) return asked;
  const names = Object.entries(patchForms).flatMap(([name, form]) => (isServed(form) ? [name] : []));
  // Of what is built in, the router has refused it before anybody looks at what it is.
  if (served.strategic) checkRouteBody(contentType, names);
  throw newUnsupportedMediaType(names);
}
