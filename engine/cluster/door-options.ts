/** What the door stands between. */
import type { KubeObject } from '../apimachinery/object.ts';
import type { RequestLimiter } from '../apiserver/flowcontrol/seats.ts';
import type { HttpApi } from '../apiserver/http.ts';
import type { ApiServer } from '../apiserver/pipeline.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { Cause } from '../base/causes.ts';
import type { Random } from '../base/random.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { KubeletConnections } from '../contracts/connect.ts';
import type { Store } from '../store/store.ts';
import type { ClusterManifests } from './admission-manifests.ts';
import type { ClusterAuthorizers } from './authorizers.ts';
import type { InsideAudit } from './inside-audit.ts';
import type { Outside } from './questions.ts';
import type { Waited } from '../apiserver/filters/filter.ts';
import type { RequestSize } from './request-size.ts';

/** What faults did to a request on its way. */
export interface Late {
  readonly waited: Waited;
  readonly causes: readonly Cause[];
}

export interface DoorOptions {
  readonly loop: TaskLoop;
  readonly store: Store<KubeObject>;
  readonly random: Random;
  readonly api: ApiServer;
  readonly http: HttpApi;
  readonly kubelets: Pick<KubeletConnections, 'openPort' | 'reopenPort' | 'openProcess' | 'reopenProcess'>;
  readonly outside: Outside;
  readonly requestSize: RequestSize;
  readonly authorizers: Pick<ClusterAuthorizers, 'use'>;
  readonly manifests: Pick<ClusterManifests, 'use'>;
  /** Lets requests from outside in. */
  readonly limiter?: RequestLimiter | undefined;
  /** Counts requests of components. */
  readonly requests: RequestLog;
  /** Absent where nothing is audited. */
  readonly audit?: InsideAudit | undefined;
}
