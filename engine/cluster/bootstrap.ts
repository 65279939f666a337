/** Writes what a new cluster begins with, as the API server's own requests. */
import type { ApiServer } from '../apiserver/pipeline.ts';
import { must } from '../base/assert.ts';
import { timerCause } from '../base/causes.ts';
import { formatGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import { kinds } from '../kinds/index.gen.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { apiServerIdentity, userAgent } from './identities.ts';

/** What the well-known objects depend on. */
export interface BootstrapOptions {
  readonly nodes: number;
  readonly zones: number;
  readonly region: string;
  readonly serviceCidr: string;
}

const startupTimer = 'startup';

export function bootstrap(api: ApiServer, options: BootstrapOptions): void {
  for (const body of bootstrapObjects(options)) {
    const { group, version, plural } = kindOf(body);
    const { namespace } = body.metadata;
    api.handle({
      verb: 'create',
      group,
      version,
      resource: plural,
      ...(namespace === undefined ? {} : { namespace }),
      identity: apiServerIdentity,
      userAgent: userAgent('kube-apiserver'),
      causes: [timerCause('apiserver', startupTimer)],
      body,
      trusted: true,
    });
  }
}

function kindOf(object: KubeObject): (typeof kinds)[number] {
  return must(
    kinds.find((entry) => entry.kind === object.kind && formatGroupVersion(entry) === object.apiVersion),
    `kind ${object.apiVersion} ${object.kind}`,
  );
}
