/**
 * Approves requests of kubelets for client certificates, where who asks may have that: access reviews say it. Mirrors
 * pkg/controller/certificates/approver/sarapprove.go.
 */
import type { SubjectAccessReview } from '../../api/authorization/v1/types.gen.ts';
import type { CertificateSigningRequest } from '../../api/certificates/v1/types.gen.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import type { CertificateReader } from '../../contracts/certificates.ts';
import { type Controller, type ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import {
  certificateSigningRequests,
  factsOf,
  hasCondition,
  kubeletClientSigner,
  mustHaveReader,
  requestController,
  wrongForKubeletClient,
} from '../lib/certificates.ts';

type Request = CertificateSigningRequest;
const accessReviews = resourceType<SubjectAccessReview>('authorization.k8s.io', 'v1', 'subjectaccessreviews', 'SubjectAccessReview', false);
const name = 'certificatesigningrequest-approving-controller';

class RequestApprover implements Controller {
  readonly #requests: Informer<Request>;
  readonly #reader: CertificateReader;

  constructor(environment: ControllerEnvironment) {
    this.#requests = environment.informer(certificateSigningRequests);
    this.#reader = mustHaveReader(environment.options);
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const request = this.#requests.get(undefined, key);
    if (request === undefined || request.status?.certificate || hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
    if (request.spec?.signerName !== kubeletClientSigner) {
      // Upstream reads every request, and tries again what is none.
      factsOf(this.#reader, request);
      return;
    }
    const facts = factsOf(this.#reader, request);
    if (wrongForKubeletClient(facts, request.spec.usages ?? []) !== undefined) return;
    const isOwn = request.spec.username === facts.commonName;
    const tried: string[] = [];
    for (const subresource of isOwn ? ['selfnodeclient', 'nodeclient'] : ['nodeclient']) {
      tried.push(subresource);
      if (!(await isAllowed(client, request, subresource))) continue;
      await approve(
        client,
        request,
        `Auto approving ${isOwn && subresource === 'selfnodeclient' ? 'self ' : ''}kubelet client certificate after SubjectAccessReview.`,
      );
      return;
    }
    throw new RetryError(`recognized csr "${key}" as [${tried.join(' ')}] but subject access review was not approved`);
  }
}

async function isAllowed(client: Client, { spec }: Request, subresource: string): Promise<boolean> {
  const resourceAttributes = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create', subresource, version: '*' };
  const { username = '', uid = '', groups = [], extra } = spec ?? {};
  const review: SubjectAccessReview = {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: { resourceAttributes, user: username, groups, ...(extra && { extra }), ...(uid && { uid }) },
  };
  const answer = await client.create(accessReviews, review);
  return answer.status?.allowed === true;
}

async function approve(client: Client, request: Request, message: string): Promise<void> {
  const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
  const conditions = [...(request.status?.conditions ?? []), condition] as NonNullable<NonNullable<Request['status']>['conditions']>;
  await client.update(certificateSigningRequests, { ...request, status: { ...request.status, conditions } }, { subresource: 'approval' });
}

export const certificateSigningRequestApprovingController = defineController<RequestApprover>({
  name,
  aliases: ['csrapproving'],
  eventSource: name,
  ...requestController,
  create: (environment) => new RequestApprover(environment),
});
