/**
 * What a Prometheus may scrape, for its `http_sd_configs`: a target for each page of a Metric. Mirrors KWOK's `/discovery/prometheus`; pages
 * lie behind the proxy of their node here.
 */
import { DrivenExpressions, type DrivenSources, DrivenWorld } from './world.ts';

export const discoveryPath = '/discovery/prometheus';

/** JSON; `host` is where the client asked. */
export function prometheusTargets(sources: DrivenSources, host: string): string {
  const { metrics, nodes } = new DrivenWorld(sources, new DrivenExpressions());
  const targets = metrics.flatMap(({ metadata: { name = '' }, spec: { path = '' } = {} }) => {
    const about = path.includes('{nodeName}') ? [...nodes.keys()] : [name];
    return about.map((node) => ({
      targets: [host],
      labels: {
        __metrics_path__: `/api/v1/nodes/${node}/proxy${path.replaceAll('{nodeName}', node)}`,
        __scheme__: 'https',
        metrics_name: name,
      },
    }));
  });
  return `${JSON.stringify(targets)}\n`;
}
