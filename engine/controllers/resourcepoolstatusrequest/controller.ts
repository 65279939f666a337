/** Answers ResourcePoolStatusRequests, once each, and deletes old ones. Mirrors pkg/controller/resourcepoolstatusrequest. */
import type { ResourceClaim, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { ResourcePoolStatusRequest } from '../../api/resource/v1alpha3/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { timerCause } from '../../base/causes.ts';
import { type Informer, type InformerEvent, keyOf } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { resourceClaims, resourceSlices } from '../lib/resource-claims.ts';
import { parseTime } from '../lib/time.ts';
import { poolStatus } from './pool-status.ts';

const name = 'resourcepoolstatusrequest-controller';
const group = 'resource.k8s.io';
const requests = resourceType<ResourcePoolStatusRequest>(group, 'v1alpha3', 'resourcepoolstatusrequests', 'ResourcePoolStatusRequest', false);
const passTimer = 'clean';
const passMs = 600_000;
/** How long an answer is kept, and a request that nobody answered. */
const answeredMs = 3_600_000;
const pendingMs = 86_400_000;
/** Attempts at a request whose pools are not whole; then it stays without an answer. */
const retriesMax = 5;

class ResourcePoolStatusRequestController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #requests: Informer<ResourcePoolStatusRequest>;
  readonly #slices: Informer<ResourceSlice>;
  readonly #claims: Informer<ResourceClaim>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#requests = environment.informer(requests);
    this.#slices = environment.informer(resourceSlices);
    this.#claims = environment.informer(resourceClaims);
  }

  start(): void {
    this.#environment.setTimer(0, passTimer);
  }

  async onTimer(): Promise<void> {
    this.#environment.setTimer(passMs, passTimer);
    const client = this.#environment.client.because([timerCause(`controller/${name}`, passTimer)]);
    const nowMs = this.#environment.nowMs();
    for (const request of this.#requests.list()) {
      if (!isOld(request, nowMs)) continue;
      const { name: requestName = '', uid = '' } = request.metadata;
      try {
        await client.delete(requests, undefined, requestName, { preconditions: { uid } });
      } catch (error) {
        // The next pass tries again.
        if (!(error instanceof StatusError)) throw error;
      }
    }
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const request = this.#requests.get(undefined, key);
    if (request === undefined || request.status !== undefined) return;
    try {
      const status = poolStatus(request, this.#slices.list(), this.#claims.list(), this.#environment.nowMs());
      // A driver may still be publishing: its slices come one by one.
      if (status.pools?.some(({ validationError }) => validationError !== undefined)) throw new RetryError('incomplete pools detected, requeueing');
      await client.updateStatus(requests, { ...request, status });
    } catch (error) {
      const isExpected = error instanceof StatusError || error instanceof RetryError;
      if (!isExpected || this.#environment.retries(key) < retriesMax) throw error;
    }
  }
}

function isOld({ metadata, status }: ResourcePoolStatusRequest, nowMs: number): boolean {
  const done = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  const sinceMs = parseTime(done?.lastTransitionTime ?? metadata.creationTimestamp);
  return sinceMs !== undefined && nowMs - sinceMs > (status === undefined ? pendingMs : answeredMs);
}

export const resourcePoolStatusRequestController = defineController<ResourcePoolStatusRequestController>({
  name,
  aliases: [],
  gates: ['DynamicResourceAllocation', 'DRAResourcePoolStatus'],
  serviceAccount: name,
  rules: [
    { apiGroups: [group], resources: ['resourcepoolstatusrequests'], verbs: ['delete', 'get', 'list', 'watch'] },
    { apiGroups: [group], resources: ['resourcepoolstatusrequests/status'], verbs: ['patch', 'update'] },
    { apiGroups: [group], resources: ['resourceslices', 'resourceclaims'], verbs: ['get', 'list', 'watch'] },
  ],
  eventSource: name,
  workers: () => 1,
  watches: [
    watchOf(requests, ({ type, object }: InformerEvent<ResourcePoolStatusRequest>) =>
      type !== 'delete' && object.status === undefined ? [keyOf(object)] : [],
    ),
    watchOf(resourceSlices, () => []),
    watchOf(resourceClaims, () => []),
  ],
  create: (environment) => new ResourcePoolStatusRequestController(environment),
});
