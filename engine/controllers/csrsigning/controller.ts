/**
 * Signs approved certificate signing requests of Kubernetes' own signers with the cluster's authority. Mirrors
 * pkg/controller/certificates/signer/signer.go and authority/policies.go.
 */
import type { CertificateSigningRequest } from '../../api/certificates/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { encodeBase64 } from '../../base/base64.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Informer } from '../../client/informer.ts';
import type { CertificateReader, CertificateRequestFacts, CertificateSigner } from '../../contracts/certificates.ts';
import { type Controller, type ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import {
  certificateSigningRequests,
  clientSigner,
  factsOf,
  hasCondition,
  kubeletClientSigner,
  kubeletServingSigner,
  legacySigner,
  mustHaveReader,
  requestController,
  requestPem,
  wrongForClient,
  wrongForKubeletClient,
  wrongForKubeletServing,
} from '../lib/certificates.ts';

type Request = CertificateSigningRequest;
type Check = (facts: CertificateRequestFacts, usages: readonly string[]) => string | undefined;

const name = 'certificatesigningrequest-signing-controller';
const backdateMs = 300_000;
/** Certificates of less are not ended earlier because they begin earlier. */
const shortMs = 8 * 3_600_000;
const leastMs = 600_000;

/** What each signer takes. */
const checks: Readonly<Record<string, Check>> = {
  [kubeletServingSigner]: wrongForKubeletServing,
  [kubeletClientSigner]: wrongForKubeletClient,
  [clientSigner]: (_facts, usages) => wrongForClient(usages),
  [legacySigner]: () => undefined,
};

class RequestSigner implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #requests: Informer<Request>;
  readonly #reader: CertificateReader;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#requests = environment.informer(certificateSigningRequests);
    this.#reader = mustHaveReader(environment.options);
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const request = this.#requests.get(undefined, key);
    if (request === undefined || request.status?.certificate) return;
    const { signerName = '' } = request.spec ?? {};
    const check = getOwn(checks, signerName);
    const signer = this.#reader.signerFor?.(signerName);
    if (
      check === undefined ||
      signer === undefined ||
      !hasCondition(request, 'Approved') ||
      hasCondition(request, 'Denied') ||
      hasCondition(request, 'Failed')
    )
      return;
    const facts = factsOf(this.#reader, request);
    const wrong = check(facts, request.spec?.usages ?? []);
    await client.updateStatus(certificateSigningRequests, {
      ...request,
      status:
        wrong === undefined
          ? { ...request.status, certificate: this.#sign(signer, request) }
          : { ...request.status, conditions: this.#failed(request, wrong) },
    });
  }

  /** Base64 of the PEM text, as status has it. */
  #sign(signer: CertificateSigner, { spec }: Request): string {
    const { options, random } = this.#environment;
    const nowMs = Math.floor(this.#environment.nowMs() / 1000) * 1000;
    const ttlMs = durationMs(spec?.expirationSeconds, options.clusterSigningDurationMs);
    const wantedMs = nowMs + ttlMs - (ttlMs < shortMs ? 0 : backdateMs);
    if (nowMs >= signer.notAfterMs)
      throw new RetryError(
        `error auto signing csr: refusing to sign a certificate that expired in the past: NotAfter=${formatTime(signer.notAfterMs)}`,
      );
    try {
      const pem = signer.sign({
        request: requestPem(spec?.request),
        serial: random.hex(32),
        notBeforeMs: nowMs - backdateMs,
        notAfterMs: Math.min(wantedMs, signer.notAfterMs),
        usages: spec?.usages ?? [],
      });
      return encodeBase64(new TextEncoder().encode(pem));
    } catch (error) {
      throw new RetryError(`error auto signing csr: ${(error as Error).message}`);
    }
  }

  #failed({ status }: Request, message: string): NonNullable<NonNullable<Request['status']>['conditions']> {
    const lastUpdateTime = formatTime(this.#environment.nowMs());
    const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, lastUpdateTime };
    return [...(status?.conditions ?? []), condition] as NonNullable<NonNullable<Request['status']>['conditions']>;
  }
}

/** What is asked for, at least ten minutes, at most what the option says. */
function durationMs(seconds: number | undefined, mostMs: number): number {
  if (seconds === undefined || seconds * 1000 > mostMs) return mostMs;
  return Math.max(leastMs, seconds * 1000);
}

export const certificateSigningRequestSigningController = defineController<RequestSigner>({
  name,
  aliases: ['csrsigning'],
  eventSource: name,
  ...requestController,
  canRun: ({ certificates }) => certificates?.signerFor !== undefined,
  create: (environment) => new RequestSigner(environment),
});
