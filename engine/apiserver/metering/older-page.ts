/** A page of metrics in the words of a release that had fewer of them, under other names. */
import { getOwn } from '../../base/dictionary.ts';
import { metricPage } from '../../base/prometheus-text.ts';
import type { ReleaseMetric, ReleaseMetrics } from '../../contracts/release-documents.ts';

export function olderPage(page: string, { families }: ReleaseMetrics): string {
  const told = page.split(/^(?=# HELP )/m).map((family) => {
    const name = family.split(' ', 3)[2] ?? '';
    const metric = getOwn(families, name);
    return metric === undefined ? '' : retold(family, name, metric);
  });
  return metricPage(told);
}

function retold(family: string, name: string, { name: then = name, help, labels = {} }: ReleaseMetric): string {
  const [first = '', ...rest] = family.split('\n');
  const words = help ?? first.slice(`# HELP ${name} `.length).replace(/^\[[A-Z]+\] /, '');
  const lines = rest.map((line) => {
    const isType = line.startsWith('# TYPE ');
    const renamed = isType ? line.replace(name, then) : line.startsWith(name) ? then + line.slice(name.length) : line;
    if (isType) return renamed;
    return Object.entries(labels).reduce((text, [now, before]) => text.replace(new RegExp(`([{,])${now}="`), `$1${before}="`), renamed);
  });
  return [`# HELP ${then} ${words}`, ...lines].join('\n');
}
