/** How an admission plugin says no. Mirrors NewForbidden of apiserver pkg/admission/errors.go. */
import { newForbidden } from '../../apimachinery/errors.ts';
import { isPathSegmentName } from '../../apimachinery/formats.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { StatusError } from '../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../admission.ts';

export function refuse(attributes: AdmissionAttributes, why: string): never {
  throw refusal(attributes, why);
}

export function refusal({ group, resource, name, object }: AdmissionAttributes, why: string): StatusError {
  return newForbidden({ group, resource }, name === '' ? nameOf(object) : name, why);
}

/** What upstream's client says of a name that no address can hold, before it asks for anything; undefined of all others. */
export function unaskableName(name: string): string | undefined {
  const faults = isPathSegmentName(name);
  return faults.length > 0 ? `invalid resource name ${goQuote(name)}: [${faults.join(' ')}]` : undefined;
}

/** Of an object whose name is not drawn yet. */
function nameOf(object: KubeObject | undefined): string {
  if (object === undefined) return 'Unknown';
  const metadata = object.metadata as KubeObject['metadata'] | undefined;
  return metadata === undefined ? 'Unknown/errorGettingName' : metadata.name || metadata.generateName || 'Unknown';
}
