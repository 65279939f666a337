/** Deployments that autoscalers size by what their pods use, and services that clouds or node ports lead to. */
import { aDeployment } from '../../support/cluster.ts';
import { any, apps, ask, core, merge, named, pick, strategic, type Swarm, type Theme } from '../draw.ts';

const scalers = '/apis/autoscaling/v2';

export const scaling: Theme = {
  name: 'scaling',
  begin: (swarm) => {
    for (let i = 0; i < 2; i++) {
      ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, busy(swarm, `load-${i}`));
      ask(swarm, 'POST', `${scalers}/namespaces/default/horizontalpodautoscalers`, scaler(swarm, `load-${i}`));
    }
  },
  acts: [
    (swarm) => ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, busy(swarm, named(swarm, 'load'))),
    (swarm) => ask(swarm, 'POST', `${scalers}/namespaces/default/horizontalpodautoscalers`, scaler(swarm, named(swarm, 'load'))),
    otherLoad,
    otherLoad,
    otherLoad,
    (swarm) => ask(swarm, 'PATCH', any(swarm, scalers, 'horizontalpodautoscalers'), { spec: { maxReplicas: 1 + swarm.below(7) } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, scalers, 'horizontalpodautoscalers')),
    (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'deployments')}/scale`, { spec: { replicas: swarm.below(6) } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'pods')),
    (swarm) => ask(swarm, 'POST', `${core}/namespaces/default/services`, balancer(swarm)),
    (swarm) => ask(swarm, 'PATCH', any(swarm, core, 'services', 'services/specs'), { spec: { type: pick(swarm, types) } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'services', 'services/specs')),
  ],
};

const types = ['ClusterIP', 'NodePort', 'LoadBalancer'];

interface Template {
  readonly spec: { readonly template: { readonly spec: { containers: object[] } } };
}

function container(swarm: Swarm): object {
  const cpus = pick(swarm, ['20m', '100m', '300m']);
  return { name: 'c', image: 'vish/stress', args: ['-cpus', '1'], resources: { requests: { cpu: '100m' }, limits: { cpu: cpus } } };
}

function busy(swarm: Swarm, name: string): object {
  const base = aDeployment(name, 1 + swarm.below(3)) as Template;
  base.spec.template.spec.containers = [container(swarm)];
  return base;
}

function otherLoad(swarm: Swarm): void {
  ask(swarm, 'PATCH', any(swarm, apps, 'deployments'), { spec: { template: { spec: { containers: [container(swarm)] } } } }, strategic);
}

function scaler(swarm: Swarm, name: string): object {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: 1 + swarm.below(2),
      maxReplicas: 3 + swarm.below(4),
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: pick(swarm, [40, 80]) } } }],
      behavior: { scaleDown: { stabilizationWindowSeconds: pick(swarm, [0, 30]) } },
    },
  };
}

function balancer(swarm: Swarm): object {
  const spec = { type: pick(swarm, types), selector: { app: named(swarm, 'load') }, ports: [{ port: 80 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: named(swarm, 'svc') }, spec };
}
