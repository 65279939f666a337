/** The feature gates in force: what the release says, and what `--feature-gates` says otherwise. Mirrors component-base/featuregate. */
import { metricHead, metricLine } from '../base/prometheus-text.ts';
import type { FeatureGate } from '../contracts/release.ts';
import { goBool } from '../apimachinery/go-bool.ts';

/** What is wrong with a `--feature-gates`, in upstream's words. */
export class FeatureGateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FeatureGateError';
  }
}

/** Switches that set every gate of a stage, but those that are set by name. */
const groups: Readonly<Record<string, FeatureGate['stage']>> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' };

export class FeatureGates {
  readonly #enabled: ReadonlyMap<string, boolean>;
  readonly #known: readonly FeatureGate[];
  readonly #groups: readonly (readonly [name: string, stage: string, enabled: boolean])[];

  /** `given` is the option's text, `Name=true,…`. Throws FeatureGateError. */
  constructor(all: readonly FeatureGate[], given: string) {
    const enabled = new Map(all.map((gate) => [gate.name, gate.default]));
    const known = all.filter((gate) => gate.gone !== true);
    const asked = parse(given);
    for (const [group, stage] of Object.entries(groups)) {
      const value = asked.get(group);
      if (value !== undefined) for (const gate of known) if (gate.stage === stage && gate.locked !== true) enabled.set(gate.name, value);
    }
    for (const [name, value] of asked) {
      if (name in groups) continue;
      const gate = known.find((entry) => entry.name === name);
      if (gate === undefined) throw new FeatureGateError(`unrecognized feature gate: ${name}`);
      if (gate.locked === true && gate.default !== value)
        throw new FeatureGateError(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.default}`);
      enabled.set(name, value);
    }
    this.#enabled = enabled;
    this.#known = known;
    const isOff = (name: string): boolean => enabled.get(name) !== true;
    for (const { name, needs = [] } of known) {
      const missing = isOff(name) ? [] : needs.filter(isOff);
      if (missing.length > 0) throw new FeatureGateError(`${name} is enabled, but depends on features that are disabled: [${missing.join(' ')}]`);
    }
    this.#groups = Object.entries(groups).map(([name, stage]) => [name, stage, asked.get(name) === true]);
  }

  /** False for what this release does not know. */
  enabled(name: string): boolean {
    return this.#enabled.get(name) === true;
  }

  /** What `/metrics` says of each, the switches of whole stages among them. */
  metrics(): string {
    const gates = this.#known.map(({ name, stage }) => [name, stage, this.enabled(name)] as const);
    const all = [...this.#groups, ...gates].sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = all.map(([name, stage, enabled]) => metricLine(metric, { name, stage }, enabled ? 1 : 0));
    return metricHead(metric, 'gauge', help) + lines.join('');
  }

  /** Every gate and its state, by name. */
  entries(): readonly (readonly [name: string, enabled: boolean])[] {
    return [...this.#enabled];
  }
}

const metric = 'kubernetes_feature_enabled';
const help = '[BETA] This metric records the data about the stage and enablement of a k8s feature.';

function parse(text: string): ReadonlyMap<string, boolean> {
  const asked = new Map<string, boolean>();
  for (const part of text.split(',')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    if (equals < 0) throw new FeatureGateError(`missing bool value for ${name}`);
    const value = part.slice(equals + 1).trim();
    const enabled = goBool(value);
    if (enabled === undefined)
      throw new FeatureGateError(`invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
    asked.set(name, enabled);
  }
  return asked;
}
