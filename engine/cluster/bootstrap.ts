/** Creates what a fresh cluster holds, through the door like everything else and in the API server's name. */
import { assert } from '../base/assert.ts';
import { timerCause } from '../base/causes.ts';
import { formatGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import { kinds } from '../kinds/index.gen.ts';
import { type BootstrapOptions, bootstrapObjects } from './bootstrap-objects.ts';
import type { Door } from './door.ts';
import { producer } from './flow-control-objects.ts';
import { simulationRoles } from './simulation.ts';
import { apiServerIdentity, userAgent } from './identities.ts';

const flowControlGroup = 'flowcontrol.apiserver.k8s.io';
const startupTimer = 'startup';

/** What makes each of these objects, in their order. `gitVersion` is the API server's own. */
export function bootstrap(door: Door, gitVersion: string, options: BootstrapOptions): readonly (() => void)[] {
  return [...bootstrapObjects(options), ...simulationRoles(options.features)].map((body) => () => create(door, gitVersion, body));
}

function create(door: Door, gitVersion: string, body: KubeObject): void {
  const { group, version, plural } = kindOf(body);
  const { namespace } = body.metadata;
  const created = door.handle({
    verb: 'create',
    group,
    version,
    resource: plural,
    ...(namespace === undefined ? {} : { namespace }),
    identity: apiServerIdentity,
    userAgent: userAgent('kube-apiserver', gitVersion),
    causes: [timerCause('apiserver', startupTimer)],
    ...(group === flowControlGroup ? { write: { fieldManager: producer } } : {}),
    body,
    trusted: true,
  });
  assert(!(created instanceof Promise), 'nobody is asked about what a cluster begins with');
}

function kindOf(object: KubeObject): (typeof kinds)[number] {
  const kind = kinds.find((entry) => entry.kind === object.kind && formatGroupVersion(entry) === object.apiVersion);
  assert(kind, `kind ${object.apiVersion} ${object.kind}`);
  return kind;
}
