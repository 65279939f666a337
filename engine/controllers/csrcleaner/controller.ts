/**
 * Deletes certificate signing requests that nobody needs any more: an hour after they were decided, a day after they were made, or
 * when the certificate has run out. Mirrors pkg/controller/certificates/cleaner/cleaner.go.
 */
import type { CertificateSigningRequest } from '../../api/certificates/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { timerCause } from '../../base/causes.ts';
import type { Informer } from '../../client/informer.ts';
import { type Controller, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { certificateSigningRequests } from '../lib/certificates.ts';
import { parseTime } from '../lib/time.ts';

const name = 'certificatesigningrequest-cleaner-controller';
const hourMs = 3_600_000;
const pendingMs = 24 * hourMs;
const passTimer = 'clean';

class RequestCleaner implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #requests: Informer<CertificateSigningRequest>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#requests = environment.informer(certificateSigningRequests);
  }

  start(): void {
    this.#environment.setTimer(0, passTimer);
  }

  async onTimer(): Promise<void> {
    this.#environment.setTimer(hourMs, passTimer);
    const client = this.#environment.client.because([timerCause(`controller/${name}`, passTimer)]);
    for (const request of this.#requests.list()) {
      if (!this.#isDone(request)) continue;
      try {
        await client.delete(certificateSigningRequests, undefined, request.metadata.name ?? '');
      } catch (error) {
        // The next pass tries again.
        if (!(error instanceof StatusError)) throw error;
      }
    }
  }

  async reconcile(): Promise<void> {
    // All work is done in passes; no key is ever queued.
  }

  #isDone({ metadata, status = {} }: CertificateSigningRequest): boolean {
    const { conditions = [], certificate = '' } = status;
    if (conditions.length === 0) return this.#isOlderThan(metadata.creationTimestamp, pendingMs);
    const endMs = certificate === '' ? undefined : this.#environment.options.certificates?.expiryMs(certificate);
    if (endMs !== undefined && endMs < this.#environment.nowMs() && conditions.some(({ type }) => type === 'Approved')) return true;
    return conditions.some(({ type, lastUpdateTime }) => {
      if (type === 'Denied' || type === 'Failed') return this.#isOlderThan(lastUpdateTime, hourMs);
      return type === 'Approved' && this.#isOlderThan(lastUpdateTime, certificate === '' ? pendingMs : hourMs);
    });
  }

  #isOlderThan(text: string | null | undefined, ms: number): boolean {
    const sinceMs = parseTime(text);
    return sinceMs !== undefined && this.#environment.nowMs() - sinceMs > ms;
  }
}

export const certificateSigningRequestCleanerController = defineController<RequestCleaner>({
  name,
  aliases: ['csrcleaner'],
  serviceAccount: 'certificate-controller',
  eventSource: name,
  workers: () => 1,
  watches: [watchOf(certificateSigningRequests, () => [])],
  create: (environment) => new RequestCleaner(environment),
});
