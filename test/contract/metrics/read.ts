/** Families of a page of metrics: their types, and which labels their samples have. */
export interface Family {
  readonly type: string;
  readonly labels: readonly string[];
}

export function familiesOf(page: string): Readonly<Record<string, Family>> {
  const found: Record<string, { type: string; labels: Set<string> }> = {};
  for (const line of page.split('\n')) {
    const [, declared, type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared !== undefined) found[declared] = { type, labels: new Set() };
    const [, name = '', labels = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /i.exec(line) ?? [];
    const family = found[name] ?? found[name.replace(/_(bucket|sum|count)$/, '')];
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="(?:[^"\\]|\\.)*"/g))
      if (label !== 'le' && label !== 'quantile') family?.labels.add(label);
  }
  const families = Object.entries(found).map(([name, { type, labels }]): [string, Family] => [name, { type, labels: [...labels].sort() }]);
  return Object.fromEntries(families.sort(([a], [b]) => (a < b ? -1 : 1)));
}
