/** The shape of a state, the same as on the map of the cluster and in bars of the timeline. */
import type { PodLook } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import { shapeBox, shapes } from './shapes.ts';

export function ShapeSign({ look, colour }: { readonly look: PodLook | undefined; readonly colour: string }) {
  const { fill, stroke } = shapes[look ?? 'Ready'];
  return (
    <svg viewBox={`0 0 ${shapeBox} ${shapeBox}`} width="12" height="12" aria-hidden>
      {fill ? <path d={fill} fill={colour} /> : null}
      {stroke ? <path d={stroke} fill="none" stroke={colour} strokeWidth="1.8" /> : null}
    </svg>
  );
}
