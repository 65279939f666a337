/** What the store costs with 150,000 pods: one JSON line per measure. Run: node test/bench/store.bench.ts */
import { createStore } from '../../engine/store/memory-store.ts';

const podsMax = 150_000;
const namespaces = 50;
const meta = { virtualMs: 0, identity: 'bench', causes: [] };
const value = { kind: 'Pod' };
const keys = Array.from({ length: podsMax }, (_, index) => `/registry/pods/namespace-${index % namespaces}/pod-${(index * 7919) % podsMax}`);

function measure(name: string, times: number, run: () => void): void {
  const start = performance.now();
  run();
  const totalMs = performance.now() - start;
  console.log(
    JSON.stringify({ bench: `store/${name}`, times, totalMs: Number(totalMs.toFixed(2)), perRunUs: Number(((totalMs * 1000) / times).toFixed(3)) }),
  );
}

const store = createStore();
measure('create', podsMax, () => {
  for (const key of keys) store.create(key, value, meta);
});
measure('get', podsMax, () => {
  for (const key of keys) store.get(key);
});
measure('update', podsMax, () => {
  for (const key of keys) store.update(key, undefined, value, meta);
});
measure('range-10000', 20, () => {
  for (let run = 0; run < 20; run++) store.range({ prefix: '/registry/pods/', limit: 10_000 });
});
const before = store.currentRevision() - 1000;
measure('range-10000-in-the-past', 5, () => {
  for (let run = 0; run < 5; run++) store.range({ prefix: '/registry/pods/', limit: 10_000, revision: before });
});
measure('range-namespace-3000', 100, () => {
  for (let run = 0; run < 100; run++) store.range({ prefix: '/registry/pods/namespace-7/' });
});
let delivered = 0;
for (let index = 0; index < 1000; index++) store.watch({ prefix: '/registry/pods/', onChanges: (changes) => void (delivered += changes.length) });
measure('update-with-1000-watchers', 1000, () => {
  for (let index = 0; index < 1000; index++) store.update(keys[index] as string, undefined, value, meta);
});
measure('create-watched-elsewhere', 10_000, () => {
  for (let index = 0; index < 10_000; index++) store.create(`/registry/leases/kube-node-lease/node-${index}`, value, meta);
});
if (delivered !== 1_000_000) throw new Error(`1000 watchers saw ${delivered} changes`);
