/**
 * The CSI driver that ships with a simulated cluster: what it is called, and what its parts share. Its sidecars are controllers here
 * (external-provisioner, external-attacher, external-resizer); its node part is the kubelet's.
 */
import type { PolicyRule } from '../api/rbac/v1/types.gen.ts';
import type { FaultPoints } from '../base/fault-points.ts';
import type { CloudProvider } from '../contracts/cloud.ts';
import { checkController, type Controller, type ControllerDefinition, type ControllerEnvironment } from '../controller-runtime/controller.ts';
import { diskDriver } from '../component-helpers/storage.ts';
import { retryMaxMs, retryMinMs } from './physics.ts';

export interface CsiOptions {
  readonly points: FaultPoints;
  /** Its disks are the driver's, where there is one. */
  readonly cloud?: CloudProvider;
}

export type CsiEnvironment = ControllerEnvironment<CsiOptions>;

/** What all parts may do. */
export const csiRules: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
  { apiGroups: [''], resources: ['persistentvolumeclaims/status'], verbs: ['update', 'patch'] },
  { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list', 'watch'] },
  {
    apiGroups: ['storage.k8s.io'],
    resources: ['storageclasses', 'csinodes', 'csidrivers', 'volumeattributesclasses'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
  { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments/status'], verbs: ['update', 'patch'] },
  {
    apiGroups: ['snapshot.storage.k8s.io'],
    resources: ['volumesnapshots', 'volumesnapshotcontents'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshots/status', 'volumesnapshotcontents/status'], verbs: ['update', 'patch'] },
  { apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshotclasses'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];

type Part<C extends Controller> = Pick<ControllerDefinition<C, CsiOptions>, 'watches' | 'create'>;

function sourceOf(name: string): string {
  if (name === 'provisioner') return diskDriver;
  if (name === 'snapshotter') return `csi-snapshotter ${diskDriver}`;
  return name === 'snapshot-controller' ? name : `external-${name} ${diskDriver}`;
}

/** A sidecar of the driver: named after upstream's, with upstream's back-off. */
export function defineSidecar<C extends Controller>(name: string, { watches, create }: Part<C>): ControllerDefinition<Controller, CsiOptions> {
  return checkController<C, CsiOptions>({
    name,
    component: `csi/${name}`,
    aliases: [],
    eventSource: sourceOf(name),
    workers: () => 10,
    backoff: { baseMs: retryMinMs, maxMs: retryMaxMs },
    watches,
    create,
  });
}
