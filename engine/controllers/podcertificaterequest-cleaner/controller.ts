/** Deletes PodCertificateRequests that are old: kubelets take what they need at once. Mirrors pkg/controller/certificates/cleaner/pcrcleaner.go. */
import type { PodCertificateRequest } from '../../api/certificates/v1beta1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { timerCause } from '../../base/causes.ts';
import type { Informer } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { type Controller, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { parseTime } from '../lib/time.ts';

const name = 'podcertificaterequest-cleaner-controller';
const passTimer = 'clean';
const periodMs = 300_000;
const thresholdMs = 900_000;
const requests = resourceType<PodCertificateRequest>('certificates.k8s.io', 'v1beta1', 'podcertificaterequests', 'PodCertificateRequest');

class PodRequestCleaner implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #requests: Informer<PodCertificateRequest>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#requests = environment.informer(requests);
  }

  start(): void {
    this.#environment.setTimer(0, passTimer);
  }

  async onTimer(): Promise<void> {
    this.#environment.setTimer(periodMs, passTimer);
    const client = this.#environment.client.because([timerCause(`controller/${name}`, passTimer)]);
    for (const { metadata } of this.#requests.list()) {
      const { namespace, name: request = '', uid = '', creationTimestamp } = metadata;
      if (this.#environment.nowMs() < (parseTime(creationTimestamp) ?? 0) + thresholdMs) continue;
      try {
        await client.delete(requests, namespace, request, { preconditions: { uid } });
      } catch (error) {
        // The next pass tries again.
        if (!(error instanceof StatusError)) throw error;
      }
    }
  }

  async reconcile(): Promise<void> {
    // All work is done in passes; no key is ever queued.
  }
}

export const podCertificateRequestCleanerController = defineController<PodRequestCleaner>({
  name,
  aliases: ['podcertificaterequest-cleaner'],
  gates: ['PodCertificateRequest'],
  serviceAccount: 'podcertificaterequestcleaner',
  rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['podcertificaterequests'], verbs: ['delete', 'get', 'list', 'watch'] }],
  eventSource: name,
  workers: () => 1,
  watches: [watchOf(requests, () => [])],
  create: (environment) => new PodRequestCleaner(environment),
});
