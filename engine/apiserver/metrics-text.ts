/** Metrics in Prometheus' text form. */

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** One metric with its samples in the order of their text. */
export function metricFamily(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const texts = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${name}${texts.length === 0 ? '' : `{${texts.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.sort().join('')}`;
}
