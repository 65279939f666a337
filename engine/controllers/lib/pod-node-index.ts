/** Index of pods by their node (AddPodNodeNameIndexer of pkg/controller/controller_utils.go). */
import type { Pod } from '../../api/core/v1/types.gen.ts';

export const podNodeIndex = 'spec.nodeName';

export function podNodeIndexValues({ spec }: Pod): readonly string[] {
  return spec?.nodeName ? [spec.nodeName] : [];
}
