/** Colours of the classes that pods are counted in: states have theirs, names take them in turn, amounts go from light to dark. */
import { podLooks, type MapColour } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { shapes } from '../../components/shapes.ts';

/** Read from the tokens once per theme. */
export interface ClassColours {
  readonly byState: readonly string[];
  readonly named: readonly string[];
  readonly stepped: readonly string[];
  readonly unknown: string;
}

const namedCount = 12;
const stepCount = 9;

export function readClassColours(token: (name: string) => string): ClassColours {
  return {
    byState: podLooks.map((look) => token(`--state-${shapes[look].token}`)),
    named: Array.from({ length: namedCount }, (_, index) => token(`--class-${index}`)),
    stepped: Array.from({ length: stepCount }, (_, index) => token(`--step-${index}`)),
    unknown: token('--state-exists'),
  };
}

export function colourOf(colours: ClassColours, by: MapColour, names: readonly string[], place: number): string {
  if (by === 'state') return colours.byState[place] ?? colours.unknown;
  if (names[place] === 'unknown' || names[place] === 'others') return colours.unknown;
  if (by === 'ready') return [colours.byState[0], colours.byState[2], colours.byState[podLooks.indexOf('Succeeded')]][place] ?? colours.unknown;
  if (by === 'owner' || by === 'priority') return colours.named[place % namedCount] ?? colours.unknown;
  // Ramps of fewer classes use the whole of it.
  const last = Math.max(1, names.length - 2);
  return colours.stepped[Math.round((place / last) * (stepCount - 1))] ?? colours.unknown;
}
