import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createStore } from '../store/memory-store.ts';
import type { CauseLink } from '../api/sim/v1alpha1/timeline.ts';
import { causeChain, directCauses } from './causes.ts';
import { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';

/** Writes one ConfigMap after the other, a second apart, each with its causes. */
function written(...writes: readonly (readonly string[])[]): { readonly recorder: HistoryRecorder; readonly last: number } {
  const store = createStore<KubeObject>();
  const recorder = createHistoryRecorder({ startMs: 0, resourceOf: () => 'configmaps', stored: (key) => store.get(key)?.value });
  store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => recorder.onChange(change)) });
  let last = 0;
  for (const [index, causes] of writes.entries()) {
    const name = `m${index}`;
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', uid: name } };
    const made = store.create(`/registry/configmaps/default/${name}`, object, { virtualMs: (index + 1) * 1000, identity: 'somebody', causes });
    last = made.type === 'failure' ? 0 : made.revision;
  }
  return { recorder, last };
}

function named({ type, object }: CauseLink): string {
  return object === undefined ? type : `${type} ${object.split('/').at(-1) ?? ''}`;
}

/** Types and objects of the chain of the last. */
function chainOf(...writes: readonly (readonly string[])[]): readonly string[] {
  const { recorder, last } = written(...writes);
  return (causeChain(recorder, last) ?? []).slice(1).map(named);
}

// The first write has revision 2 here, as in a cluster.
const first = 2;

test('of a node that was silent and somebody who asked, whichever was later is why', () => {
  expect(chainOf(['silence:n'], ['input:1'], [`rev:${first}`, `rev:${first + 1}`])).toEqual(['write m1', 'input']);
  expect(chainOf(['input:1'], ['silence:n'], [`rev:${first}`, `rev:${first + 1}`])).toEqual(['write m1', 'silence n']);
  expect(chainOf(['input:1'], [`rev:${first}`, 'silence:n'])).toEqual(['silence n']);
});

test('a timer is why only where nothing else is, however late it fired', () => {
  expect(chainOf(['input:1'], ['timer:controller/x/y'], [`rev:${first}`, `rev:${first + 1}`, 'timer:controller/x/z'])).toEqual(['write m0', 'input']);
  expect(chainOf(['timer:controller/x/y'])).toEqual(['timer']);
});

test('what came of the same root by two ways is followed by the later', () => {
  const both = [`rev:${first + 1}`, `rev:${first + 2}`];
  expect(chainOf(['input:1'], [`rev:${first}`], [`rev:${first}`], both)).toEqual(['write m2', 'write m0', 'input']);
});

test('causes that stand beside one another are told in order of time, with what is forgotten first', () => {
  const { recorder, last } = written(['input:1'], ['input:2'], ['input:3'], [`rev:${first + 2}`, `rev:${first}`, 'rev:1', `rev:${first + 1}`]);
  const change = recorder.notes.at(last);
  const told = change === undefined ? [] : directCauses(recorder, change);
  expect(told.filter(({ ms }) => ms !== undefined).map(named)).toEqual(['write m0', 'write m1', 'write m2']);
  expect(told[0]?.ms).toBe(undefined);
});
