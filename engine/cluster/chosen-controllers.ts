/** Which controllers run, and with which options; for those in the cluster and for a controller manager outside alike. */
import type { ControllerDefinition, ControllerOptions } from '../controllers/controller.ts';
import { controllers } from '../controllers/index.gen.ts';
import type { ControllerHost } from '../controllers/options/family.ts';
import { readControllerOptions } from '../controllers/options/index.gen.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import type { Settings } from './settings.ts';

/** What of a release decides on controllers. */
type ChoosingRelease = Pick<Release, 'timing' | 'podTemplateForms' | 'featureGates' | 'controllers'>;

export interface ChosenControllers {
  readonly options: ControllerOptions;
  readonly definitions: readonly ControllerDefinition[];
}

export function chooseControllers(settings: Settings, release: ChoosingRelease, host: ControllerHost): ChosenControllers {
  const gates = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const options = readControllerOptions({
    number: (flag) => settings.number(flag),
    boolean: (flag) => settings.boolean(flag),
    text: (flag) => settings.text(flag),
    milliseconds: (flag) => settings.milliseconds(flag),
    hasGate: (name) => gates.enabled(name),
    release,
    host,
  });
  const enabled = settings.list('controllers');
  const definitions = controllers.filter(
    (one) =>
      isEnabled(enabled, one) &&
      hasGates(one, gates) &&
      (one.switchedBy === undefined || settings.boolean(one.switchedBy)) &&
      one.canRun?.(options) !== false,
  );
  return { options, definitions };
}

/** A controller list as upstream reads it: what is said of a name first counts, then `*`, for those that are on by default. */
function isEnabled(list: readonly string[], { name, aliases, onByDefault }: ControllerDefinition): boolean {
  const names = [name, ...aliases];
  const said = list.find((item) => names.includes(item.startsWith('-') ? item.slice(1) : item));
  if (said !== undefined) return !said.startsWith('-');
  return list.includes('*') && onByDefault !== false;
}

/** Whether every gate that a controller needs is on. */
export function hasGates({ gates = [] }: Pick<ControllerDefinition, 'gates'>, features: FeatureGates): boolean {
  return gates.every((gate) => features.enabled(gate));
}
