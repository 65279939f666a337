/**
 * Says of every APIService that a Service stands behind whether its server answers, in the API server's name. Mirrors kube-aggregator
 * pkg/controllers/status/remote/remote_available_controller.go. Services and EndpointSlices are followed once a first APIService names a Service.
 */
import { serviceNameLabel } from '../component-helpers/service-slices.ts';
import type { APIService, APIServiceCondition } from '../api/apiregistration/v1/types.gen.ts';
import type { Cause } from '../base/causes.ts';
import type { Service } from '../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../api/discovery/v1/types.gen.ts';
import { isConflict, isNotFound } from '../apimachinery/errors.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { formatTime } from '../apimachinery/time.ts';
import { flag } from '../base/codecs.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import type { Client } from '../client/client.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { localVerdict } from '../component-helpers/local-api-service.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';

export const apiServiceType = resourceType<APIService>('apiregistration.k8s.io', 'v1', 'apiservices', 'APIService', false);
const serviceType = resourceType<Service>('', 'v1', 'services', 'Service', true);
const sliceType = resourceType<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', true);
/** As upstream's informers look at everything again. */
const againMs = 30_000;
/** Who does not answer is asked again ever later. */
const backoff = { baseMs: 5, maxMs: 30_000 };
/** One that answers is enough. */
const attempts = 5;

export interface AvailabilityOptions {
  /**
   * What asks the server behind an APIService for its discovery; a text says why nobody can be asked. Undefined where
   * it is simulated: its API is served here.
   */
  readonly probeOf: (apiService: APIService) => Question | string | undefined;
  readonly ask: (questions: readonly Question[], goOn: (answers: readonly Answer[]) => void) => void;
  /** The address that messages name. */
  readonly urlOf: (apiService: APIService) => string;
}

const failedReason = 'FailedDiscoveryCheck';

type Verdict = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

class AvailabilityController implements Controller {
  readonly #environment: ControllerEnvironment<AvailabilityOptions>;
  readonly #apiServices: Informer<APIService>;
  #isFollowing = false;

  constructor(environment: ControllerEnvironment<AvailabilityOptions>) {
    this.#environment = environment;
    this.#apiServices = environment.informer(apiServiceType);
    environment.slots.field(
      'isFollowing',
      flag,
      () => this.#isFollowing,
      (isFollowing) => isFollowing && this.#follow(true),
    );
  }

  keysOf({ object }: InformerEvent<APIService>): readonly string[] {
    if (object.spec?.service && !this.#isFollowing) this.#follow(false);
    return [object.metadata.name ?? ''];
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const apiService = this.#apiServices.get(undefined, key);
    if (apiService === undefined) return;
    const verdict = (await judge(client, apiService)) ?? (await this.#probe(apiService));
    await this.#write(client, apiService, verdict);
    if (!apiService.spec?.service) return;
    this.#environment.enqueueAfter(key, againMs, causes);
    if (verdict.reason === failedReason) throw new RetryError(verdict.message ?? '');
  }

  async #write(client: Client, apiService: APIService, verdict: Verdict): Promise<void> {
    const current = (apiService.status?.conditions ?? []).find(({ type }) => type === 'Available');
    const isSaid = current?.status === verdict.status && current.reason === verdict.reason && current.message === verdict.message;
    try {
      if (!isSaid) await client.updateStatus(apiServiceType, withVerdict(apiService, current, verdict, formatTime(this.#environment.nowMs())));
    } catch (error) {
      // Changed or gone meanwhile: the event of that comes.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  /** What is known when a saved state is taken up again has been told before. */
  #follow(isRestored: boolean): void {
    this.#isFollowing = true;
    let isTold = isRestored;
    this.#environment.informer(serviceType).addHandler(({ object: { metadata }, causes }) => {
      if (!isTold) this.#enqueueOf(metadata.namespace, metadata.name, causes);
    });
    this.#environment.informer(sliceType).addHandler(({ object: { metadata }, causes }) => {
      if (!isTold) this.#enqueueOf(metadata.namespace, metadata.labels?.[serviceNameLabel], causes);
    });
    isTold = false;
  }

  #enqueueOf(namespace: string | undefined, name: string | undefined, causes: readonly Cause[]): void {
    for (const { metadata, spec } of this.#apiServices.list())
      if (spec?.service?.name === name && spec?.service?.namespace === namespace && name !== undefined)
        this.#environment.enqueue(metadata.name ?? '', causes);
  }

  async #probe(apiService: APIService): Promise<Verdict> {
    const { probeOf, ask, urlOf } = this.#environment.options;
    const passed = { status: 'True', reason: 'Passed', message: 'all checks passed' };
    const url = urlOf(apiService);
    const failed = (why: string): Verdict => ({
      status: 'False',
      reason: failedReason,
      message: `failing or missing response from ${url}: ${why}`,
    });
    const question = probeOf(apiService);
    if (question === undefined) return passed;
    if (typeof question === 'string') return failed(`Get ${goQuote(url)}: ${question}`);
    const questions = Array.from({ length: attempts }, () => question);
    const answers = await new Promise<readonly Answer[]>((resolve) => ask(questions, resolve));
    const faults = answers.map((answer) => faultOf(answer, url));
    const last = faults.at(-1);
    return faults.includes(undefined) || last === undefined ? passed : failed(last);
  }
}

/** Why an answer is not good; undefined when it is. */
function faultOf(answer: Answer, url: string): string | undefined {
  if (answer.outcome === 'timedOut') return `Get ${goQuote(url)}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  if (answer.outcome === 'failed') return `Get ${goQuote(url)}: ${answer.message}`;
  const { code } = answer.body as { readonly code: number };
  return code < 200 || code >= 300 ? `bad status from ${url}: ${code}` : undefined;
}

/** What can be told without asking; undefined where its server is to be asked. */
async function judge(client: Client, { spec }: APIService): Promise<Verdict | undefined> {
  if (!spec?.service) return localVerdict;
  const { namespace = '', name = '', port = 443 } = spec.service;
  const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
  const what = `service/${name} in ${goQuote(namespace)}`;
  const service = await found(client.get(serviceType, namespace, name));
  if (service === undefined) return no('ServiceNotFound', `${what} is not present`);
  if ((service.spec?.type ?? 'ClusterIP') !== 'ClusterIP') return undefined;
  const servicePort = (service.spec?.ports ?? []).find((one) => one.port === port);
  if (servicePort === undefined) return no('ServicePortError', `${what} is not listening on port ${port}`);
  // A port of this machine needs no endpoints.
  if (service.metadata.annotations?.['sim.wavetank.dev/host-port'] !== undefined) return undefined;
  const slices = (await client.list(sliceType, namespace)).items.filter(({ metadata }) => metadata.labels?.[serviceNameLabel] === name);
  if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for ${what}`);
  const portName = servicePort.name ?? '';
  const isServed = slices.some(
    ({ endpoints, ports }) =>
      (ports ?? []).some((one) => one.name === portName && one.port !== undefined) &&
      (endpoints ?? []).some(({ addresses, conditions }) => (addresses ?? []).length > 0 && conditions?.ready !== false),
  );
  return isServed ? undefined : no('MissingEndpoints', `endpointslices for ${what} have no addresses with port name ${goQuote(portName)}`);
}

async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function withVerdict(apiService: APIService, current: APIServiceCondition | undefined, verdict: Verdict, nowText: string): APIService {
  const lastTransitionTime = current?.status === verdict.status ? (current?.lastTransitionTime ?? nowText) : nowText;
  const condition = { type: 'Available', ...verdict, lastTransitionTime } as APIServiceCondition;
  const others = (apiService.status?.conditions ?? []).filter(({ type }) => type !== 'Available');
  return { ...apiService, status: { ...apiService.status, conditions: [...others, condition] } };
}

export const availabilityController = checkController<AvailabilityController, AvailabilityOptions>({
  name: 'apiservice-availability',
  component: 'apiserver/apiservice-availability',
  aliases: [],
  serviceAccount: 'apiserver',
  eventSource: 'kube-aggregator',
  // One question of a component is open at a time.
  workers: () => 1,
  backoff,
  watches: [watchOf<APIService, AvailabilityController>(apiServiceType, (event, controller) => controller.keysOf(event))],
  create: (environment) => new AvailabilityController(environment),
});
