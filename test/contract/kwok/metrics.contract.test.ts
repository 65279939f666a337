/** A page of metrics of a driven node here and of the real kwok 0.8.0 (`recorded-metrics.txt`, asked beside a real API server with `metrics.yaml`). */
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { aCluster } from '../../support/cluster.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const paths: Readonly<Record<string, string>> = {
  ServiceAccount: '/api/v1/namespaces/default/serviceaccounts',
  Node: '/api/v1/nodes',
  Pod: '/api/v1/namespaces/default/pods',
  Stage: '/apis/kwok.x-k8s.io/v1alpha1/stages',
  Metric: '/apis/kwok.x-k8s.io/v1alpha1/metrics',
  ClusterResourceUsage: '/apis/kwok.x-k8s.io/v1alpha1/clusterresourceusages',
};
/** What KWOK says wrongly of histograms, and what it says of its own handler. */
const isOwn = (line: string): boolean => line.includes('promhttp_metric_handler_errors_total');
const mended = (line: string): string => line.replace('times_bucket{le="+Inf"} 0', 'times_bucket{le="+Inf"} 11');

it("a driven node's page of metrics is KWOK's", async () => {
  const made = await aCluster({ nodes: 0, options: { controllers: '', scheduler: 'false' } });
  for (const object of loadAll(read('metrics.yaml')) as readonly KubeObject[]) made.call('POST', paths[object.kind ?? ''] ?? '', object);
  await made.advance(5000);
  const page = made.ask('GET', '/api/v1/nodes/n/proxy/metrics/nodes/n/mine').object.message ?? '';
  const wanted = read('recorded-metrics.txt')
    .split('\n')
    .filter((line) => !isOwn(line))
    .map(mended);
  const unlabelled = (line: string): string =>
    line.replaceAll(/^(times_[a-z]+)\{a="x\\"y",?(.*?)\} /g, (_all, name: string, rest: string) => `${name}${rest === '' ? '' : `{${rest}}`} `);
  expect(page.split('\n').map(unlabelled)).toEqual(wanted);
});
