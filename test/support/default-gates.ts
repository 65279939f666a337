/** The feature gates of the present release as nobody set them. */
import { featureGates } from '../../engine/releases/1.36/feature-gates.gen.ts';
import { goneGates } from '../../engine/releases/1.36/gone-gates.ts';

const on: ReadonlySet<string> = new Set([...featureGates, ...goneGates].filter((gate) => gate.default).map(({ name }) => name));

export function featureEnabled(gate: string): boolean {
  return on.has(gate);
}
