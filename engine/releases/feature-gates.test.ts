import { expect, it } from 'vitest';
import type { FeatureGate } from '../contracts/release.ts';
import { FeatureGates } from './feature-gates.ts';

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
