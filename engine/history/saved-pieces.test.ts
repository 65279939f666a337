import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createStore } from '../store/memory-store.ts';
import { createHistoryRecorder } from './recorder.ts';

test('history saved piece by piece is as it was when saving began, whatever changes meanwhile', () => {
  const store = createStore<KubeObject>();
  const recorder = createHistoryRecorder({
    startMs: 0,
    resourceOf: (_group, kind) => `${kind.toLowerCase()}s`,
    stored: (key) => store.get(key)?.value,
  });
  store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => recorder.onChange(change)) });
  let nowMs = 0;
  const put = (name: string, phase: string): void => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'd', uid: name }, status: { phase } } as unknown as KubeObject;
    const [key, meta] = [`/registry/pods/d/${name}`, { virtualMs: (nowMs += 1000), identity: 'admin', causes: [] }];
    if (store.get(key) === undefined) store.create(key, pod, meta);
    else store.update(key, undefined, pod, meta);
  };
  for (const name of ['a', 'b', 'c', 'd']) put(name, 'Pending');
  const wanted = recorder.slots.save();
  const saved: { [name: string]: unknown } = {};
  let round = 0;
  for (const { path, value } of recorder.savePieces()) {
    let at = saved;
    for (const name of path.slice(0, -1)) at = at[name] as { [name: string]: unknown };
    Object.assign(at, { [path.at(-1) ?? '']: value });
    put('c', 'Running');
    put(`new-${round++}`, 'Pending');
    store.remove('/registry/pods/d/d', undefined, { virtualMs: nowMs, identity: 'admin', causes: [] });
  }
  expect(saved).toEqual(wanted);
  expect(Object.keys(saved['rows'] as object)).toEqual(['a', 'b', 'c', 'd']);
  expect(recorder.find('pods/d/c')?.marks).not.toEqual((saved['rows'] as { readonly c: { readonly marks: unknown } }).c.marks);
});
