/** Downward API files and projected volumes. Mirrors validateDownwardAPIVolumeFile and validateProjectionSources of pkg/apis/core/validation. */
import type { ProjectedVolumeSource, Volume, VolumeProjection } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, required } from '../../../apimachinery/field-errors.ts';
import { validateFieldRef, validateResourceFieldRef, volumeFields } from './env-validation.ts';
import type { Faults } from './resource-validation.ts';
import { nonReserved, validateItem, validateMode } from './volume-paths.ts';

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

export function validateDownwardFile(file: DownwardFile, path: FieldPath, out: Faults): void {
  if (!file.path) out.push(required(path.child('path')));
  nonReserved(file.path ?? '', path.child('path'), out);
  if (file.fieldRef) {
    validateFieldRef(file.fieldRef, volumeFields, path.child('fieldRef'), out);
    if (file.resourceFieldRef) out.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef) validateResourceFieldRef(file.resourceFieldRef, true, path.child('resourceFieldRef'), out);
  else out.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  validateMode(file.mode, path.child('mode'), out);
}

export function validateProjected(source: ProjectedVolumeSource, path: FieldPath, out: Faults): void {
  validateMode(source.defaultMode, path.child('defaultMode'), out);
  const taken = new Set<string>();
  const claim = (file: string | undefined, name: string): void => {
    if (!file) return;
    if (taken.has(file)) out.push(invalid(path, name, 'conflicting duplicate paths'));
    taken.add(file);
  };
  for (const [index, projection] of (source.sources ?? []).entries()) validateProjection(projection, path, index, claim, out);
}

const longestToken = 2 ** 32;

function validateProjection(
  projection: VolumeProjection,
  whole: FieldPath,
  index: number,
  claim: (file: string | undefined, name: string) => void,
  out: Faults,
): void {
  const path = whole.child('sources').index(index);
  for (const name of ['secret', 'configMap'] as const) {
    const part = projection[name];
    if (!part) continue;
    if (!part.name) out.push(required(path.child(name).child('name')));
    for (const [place, item] of (part.items ?? []).entries()) {
      validateItem(item, path.child(name).child('items').index(place), out);
      claim(item.path, part.name ?? '');
    }
  }
  for (const file of projection.downwardAPI?.items ?? []) {
    validateDownwardFile(file, path.child('downwardAPI'), out);
    claim(file.path, file.path);
  }
  const token = projection.serviceAccountToken;
  if (token) {
    const at = path.child('serviceAccountToken').child('expirationSeconds');
    const seconds = token.expirationSeconds ?? 0;
    if (seconds < 600) out.push(invalid(at, seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > longestToken) out.push(invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
    // Upstream names the path of the volume, and not that of the source.
    if (!token.path) out.push(required(whole.child('path')));
    else nonReserved(token.path, whole.child('path'), out);
  }
  const count = Object.values(projection).filter((part) => part !== undefined && part !== null).length;
  if (count > 1) out.push(forbidden(path, 'may not specify more than 1 volume type per source'));
}
