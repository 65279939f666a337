/**
 * Whether an answer can be had in the form that was asked for; that is known when there is one, and what was written stays written.
 * Mirrors transformResponseObject of apiserver pkg/endpoints/handlers/response.go.
 */
import { getOwn } from '../base/dictionary.ts';
import { newNotAcceptable, newStatusError } from '../apimachinery/errors.ts';
import { parseGroupVersion } from '../apimachinery/object.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { IncludeObject } from '../registry/table.ts';
import type { OutputForm } from './negotiation.ts';

/**
 * What Tables show of each object. Throws BadRequest; who asks for no Table may write anything. `managedFields=false`, which upstream reads over, leaves
 * those out of the metadata.
 */
export function includeOf({ transform }: OutputForm, query: URLSearchParams): IncludeObject {
  const value = transform === 'Table' ? (query.get('includeObject') ?? '') : '';
  if (value === '' || value === 'Metadata') return query.get('managedFields') === 'false' ? 'Unmanaged' : 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  const fault = `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw newStatusError(400, 'BadRequest', `Unable to convert to Table as requested: ${fault}`);
}

/** Throws NotAcceptable where a list was asked for as one object, or one object as a list; of a custom object a Status without a reason. */
export function checkTransform({ transform }: OutputForm, answered: Answered): void {
  const { isList, isCustom } = answered;
  if (transform === 'PartialObjectMetadata' && isList)
    throw newNotAcceptable(`you requested ${transform}, but the requested object is a list (${goTypeOf(answered)})`);
  if (transform !== 'PartialObjectMetadataList' || isList) return;
  // What holds any kind passes for a list until its items are asked for.
  if (isCustom) throw newStatusError(500, '', 'content is not a list');
  throw newNotAcceptable(`you requested ${transform}, but the requested object is not a list (${goTypeOf(answered)})`);
}

/** Before these forms were stable, what has no metadata was shown in none that are made of it. Throws the defect that it was taken for. */
export function checkStatus({ transform }: OutputForm, include: IncludeObject): void {
  checkMetadata(transform, '*v1.Status');
  if (transform === 'Table' && include !== 'None' && include !== 'Object') throw noMetadata();
}

/** A log comes as it is, and in a form that is made of metadata it does not; there are no Tables where it is asked for. */
export function checkLog({ transform }: OutputForm): void {
  checkMetadata(transform, '*rest.LocationStreamer');
}

function checkMetadata(transform: OutputForm['transform'], goType: string): void {
  if (transform === 'PartialObjectMetadataList')
    throw newNotAcceptable(`you requested ${transform}, but the requested object is not a list (${goType})`);
  if (transform === 'PartialObjectMetadata') throw noMetadata();
}

function noMetadata(): StatusError {
  return newStatusError(500, '', 'object does not implement the Object interfaces');
}

export interface Answered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isList: boolean;
  readonly isCustom: boolean;
}

/** Upstream has kinds of two groups in the package of another one. */
const packages: { readonly [group: string]: string } = { '': 'core', 'events.k8s.io': 'core', extensions: 'networking' };

/** The type in which upstream has it in mind, as Go prints it. */
function goTypeOf({ apiVersion, kind, isList, isCustom }: Answered): string {
  if (isCustom) return isList ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  const group = parseGroupVersion(apiVersion)?.group ?? '';
  return `*${getOwn(packages, group) ?? group.split('.', 1)[0]}.${kind}`;
}
