/** Reviews that name groups: `group` in v1beta1, `groups` in v1. Mirrors pkg/apis/authorization/v1beta1. */
import type { KubeObject } from '../../../apimachinery/object.ts';

interface Spec {
  readonly group?: readonly string[];
  readonly groups?: readonly string[];
}

interface Review extends KubeObject {
  readonly spec?: Spec;
}

export function storedReview<T extends KubeObject>(object: Review): T {
  const { group, ...spec } = object.spec ?? {};
  return { ...object, spec: group === undefined ? spec : { ...spec, groups: group } } as unknown as T;
}

export function ownReview<T extends KubeObject>(object: Review): T {
  const { groups, ...spec } = object.spec ?? {};
  return { ...object, spec: groups === undefined ? spec : { ...spec, group: groups } } as unknown as T;
}
