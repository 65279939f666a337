/** Likes nodes that hold the pod's images, the more the larger they are and the more nodes hold them (framework/plugins/imagelocality). */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { definePlugin, nodeScoreMax } from '../../framework/plugin.ts';

const mib = 1024 * 1024;
const bytesMin = 23 * mib;
const bytesPerContainerMax = 1000 * mib;

interface State {
  readonly images: readonly string[];
  readonly containers: number;
  /** Worth of each image, as of this cycle. */
  worths: readonly number[];
}

export const imageLocality = definePlugin<State>({
  name: 'ImageLocality',
  order: 170,
  defaultWeight: 1,
  points: ['Score'],
  args: {},
  reasons: [],
  create: (handle) => ({
    crossNode: true,
    classState: ({ pod }) => ({
      images: imagesOf(pod),
      containers: (pod.spec?.initContainers?.length ?? 0) + (pod.spec?.containers?.length ?? 0),
      worths: [],
    }),
    preScore: (state) => {
      const index = handle.images();
      const total = handle.snapshot.nodes.length;
      state.worths = state.images.map((image) => {
        const known = index.get(image);
        return known === undefined ? 0 : Math.trunc(known.size * (known.nodes / total));
      });
      // Less than the least that counts everywhere: all nodes get 0.
      return state.worths.reduce((sum, worth) => sum + worth, 0) > bytesMin;
    },
    score: ({ images, containers, worths }, node) => {
      const index = handle.images();
      let sum = 0;
      for (let i = 0; i < images.length; i++) if ((worths[i] as number) > 0 && index.has(node, images[i] as string)) sum += worths[i] as number;
      const max = bytesPerContainerMax * containers;
      const bytes = Math.min(Math.max(sum, bytesMin), max);
      return Math.trunc((nodeScoreMax * (bytes - bytesMin)) / (max - bytesMin));
    },
  }),
});

function imagesOf(pod: Pod): readonly string[] {
  const { spec } = pod;
  const volumes = (spec?.volumes ?? []).flatMap((volume) => (volume.image?.reference === undefined ? [] : [volume.image.reference]));
  return [...(spec?.initContainers ?? []).map((c) => c.image ?? ''), ...(spec?.containers ?? []).map((c) => c.image ?? ''), ...volumes].map(
    normalized,
  );
}

function normalized(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
