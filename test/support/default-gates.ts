/** The feature gates of the present release as nobody set them. */
import { featureGates } from '../../engine/releases/1.36/feature-gates.gen.ts';

const on: ReadonlySet<string> = new Set(featureGates.filter((gate) => gate.default).map(({ name }) => name));

export function featureEnabled(gate: string): boolean {
  return on.has(gate);
}
