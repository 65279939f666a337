import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createStore } from '../store/memory-store.ts';
import { causeChain } from './causes.ts';
import { createHistoryRecorder } from './recorder.ts';

/** Writes one ConfigMap after the other, a second apart, each with its causes; returns the types and texts of the chain of the last. */
function chainOf(...writes: readonly (readonly string[])[]): readonly string[] {
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
  return (causeChain(recorder, last) ?? [])
    .slice(1)
    .map(({ type, object }) => (object === undefined ? type : `${type} ${object.split('/').at(-1) ?? ''}`));
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
