import { expect, it } from 'vitest';
import type { FeatureGate } from '../contracts/release.ts';
import { FeatureGates } from './feature-gates.ts';
import { mustGetRelease } from './releases.ts';

const known: readonly FeatureGate[] = [
  { name: 'Young', default: false, stage: 'ALPHA' },
  { name: 'Grown', default: true, stage: 'BETA' },
  { name: 'Old', default: true, stage: '', locked: true },
];

function enabled(given: string): readonly string[] {
  return new FeatureGates(known, given).entries().flatMap(([name, on]) => (on ? [name] : []));
}

it.each([
  ['', ['Grown', 'Old']],
  ['Young=true,Grown=false', ['Young', 'Old']],
  [' Young = t ', ['Young', 'Grown', 'Old']],
  ['AllAlpha=true', ['Young', 'Grown', 'Old']],
  ['AllAlpha=true,Young=false', ['Grown', 'Old']],
  ['AllBeta=0', ['Old']],
  ['Old=true', ['Grown', 'Old']],
])('%j switches on %j', (given, want) => {
  expect(enabled(given)).toEqual(want);
});

it.each([
  ['Nobody=true', 'unrecognized feature gate: Nobody'],
  ['Old=false', 'cannot set feature gate Old to false, feature is locked to true'],
  ['Young', 'missing bool value for Young'],
  ['Young=perhaps', 'invalid value of Young=perhaps, err: strconv.ParseBool: parsing "perhaps": invalid syntax'],
])('%j is refused', (given, why) => {
  expect(() => enabled(given)).toThrow(why);
});

it('refuses a gate whose ground is off, in the words of a real 1.36.3', () => {
  const { featureGates } = mustGetRelease('1.36');
  expect(() => new FeatureGates(featureGates, 'GangScheduling=true')).toThrow(
    'GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]',
  );
  for (const fine of ['', 'AllAlpha=true', 'AllBeta=false', 'GangScheduling=true,GenericWorkload=true'])
    expect(() => new FeatureGates(featureGates, fine), fine).not.toThrow();
});

it('takes the truths of Go, and tells what is none', () => {
  const { featureGates } = mustGetRelease('1.36');
  expect(new FeatureGates(featureGates, 'GenericWorkload=1').enabled('GenericWorkload')).toBe(true);
  expect(() => new FeatureGates(featureGates, 'AllAlpha=maybe')).toThrow(
    'invalid value of AllAlpha=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
  );
  expect(() => new FeatureGates(featureGates, 'APIListChunking=false')).toThrow('unrecognized feature gate: APIListChunking');
  expect(() => new FeatureGates(featureGates, 'APIServerTracing=false')).toThrow(
    'cannot set feature gate APIServerTracing to false, feature is locked to true',
  );
});

it('meters every gate and both switches of stages', () => {
  const { featureGates } = mustGetRelease('1.36');
  const lines = new FeatureGates(featureGates, 'AllAlpha=true').metrics().split('\n');
  expect(lines.filter((line) => line.startsWith('kubernetes_feature_enabled{'))).toHaveLength(
    featureGates.filter((gate) => gate.gone !== true).length + 2,
  );
  expect(lines).toContain('kubernetes_feature_enabled{name="AllAlpha",stage="ALPHA"} 1');
  expect(lines).toContain('kubernetes_feature_enabled{name="APIServingWithRoutine",stage="ALPHA"} 1');
  expect(lines).toContain('kubernetes_feature_enabled{name="AllBeta",stage="BETA"} 0');
});
