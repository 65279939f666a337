/** All containers of a pod, of whatever sort. Mirrors VisitContainersWithPath of pkg/apis/core/pods. */
import type { Container, EphemeralContainer, PodSpec } from '../../../api/core/v1/types.gen.ts';
import type { FieldPath } from '../../../apimachinery/field-errors.ts';
import { editEach } from '../../shared/defaulting.ts';

/** In upstream's order. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

export type AnyContainer = Container | EphemeralContainer;

/** `at` makes the container's path, when somebody needs it. */
export function eachContainer(spec: PodSpec, path: FieldPath, visit: (container: AnyContainer, at: () => FieldPath) => void): void {
  for (const list of lists) {
    const containers = spec[list] ?? [];
    for (let index = 0; index < containers.length; index++) {
      const container = containers[index];
      if (container) visit(container, () => path.child(list).index(index));
    }
  }
}

export function someContainer(spec: PodSpec | undefined, test: (container: AnyContainer) => boolean): boolean {
  return spec !== undefined && lists.some((list) => spec[list]?.some(test) === true);
}

export function editContainers(spec: PodSpec, change: <C extends AnyContainer>(container: C) => C): PodSpec {
  let next = editEach(spec, 'containers', change<Container>);
  if (next.initContainers !== undefined) next = editEach(next, 'initContainers', change<Container>);
  return next.ephemeralContainers === undefined ? next : editEach(next, 'ephemeralContainers', change<EphemeralContainer>);
}
