/**
 * Says of every APIService that a Service stands behind whether its server answers, in the API server's name. Mirrors kube-aggregator
 * pkg/controllers/status/remote/remote_available_controller.go; instead of five calls at once it makes one.
 */
import { serviceNameLabel } from '../component-helpers/service-slices.ts';
import type { APIService, APIServiceCondition } from '../api/apiregistration/v1/types.gen.ts';
import type { Service } from '../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../api/discovery/v1/types.gen.ts';
import { isConflict, isNotFound } from '../apimachinery/errors.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import type { Client } from '../client/client.ts';
import type { Informer } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { localVerdict } from '../component-helpers/local-api-service.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';

export const apiServiceType = resourceType<APIService>('apiregistration.k8s.io', 'v1', 'apiservices', 'APIService', false);
const serviceType = resourceType<Service>('', 'v1', 'services', 'Service', true);
const sliceType = resourceType<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', true);
/** As upstream's informers look at everything again; what is not available is looked at more often, where upstream follows Services. */
const againMs = 30_000;
const soonMs = 5_000;

export interface AvailabilityOptions {
  /**
   * What asks the server behind an APIService for its discovery; a text says why nobody can be asked. Undefined where
   * it is simulated: its API is served here.
   */
  readonly probeOf: (apiService: APIService) => Question | string | undefined;
  readonly ask: (question: Question, goOn: (answer: Answer) => void) => void;
  /** The address that messages name. */
  readonly urlOf: (apiService: APIService) => string;
}

type Verdict = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

class AvailabilityController implements Controller {
  readonly #environment: ControllerEnvironment<AvailabilityOptions>;
  readonly #apiServices: Informer<APIService>;

  constructor(environment: ControllerEnvironment<AvailabilityOptions>) {
    this.#environment = environment;
    this.#apiServices = environment.informer(apiServiceType);
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const apiService = this.#apiServices.get(undefined, key);
    if (apiService === undefined) return;
    const verdict = (await judge(client, apiService)) ?? (await this.#probe(apiService));
    const current = (apiService.status?.conditions ?? []).find(({ type }) => type === 'Available');
    const isSaid = current?.status === verdict.status && current.reason === verdict.reason && current.message === verdict.message;
    try {
      if (!isSaid) await client.updateStatus(apiServiceType, withVerdict(apiService, current, verdict, formatTime(this.#environment.nowMs())));
    } catch (error) {
      // Changed or gone meanwhile: the event of that comes.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    this.#environment.enqueueAfter(key, verdict.status === 'True' ? againMs : soonMs, causes);
  }

  async #probe(apiService: APIService): Promise<Verdict> {
    const { probeOf, ask, urlOf } = this.#environment.options;
    const passed = { status: 'True', reason: 'Passed', message: 'all checks passed' };
    const url = urlOf(apiService);
    const failed = (why: string): Verdict => ({
      status: 'False',
      reason: 'FailedDiscoveryCheck',
      message: `failing or missing response from ${url}: ${why}`,
    });
    const question = probeOf(apiService);
    if (question === undefined) return passed;
    if (typeof question === 'string') return failed(`Get ${goQuote(url)}: ${question}`);
    const answer = await new Promise<Answer>((resolve) => ask(question, resolve));
    if (answer.outcome === 'timedOut')
      return failed(`Get ${goQuote(url)}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`);
    if (answer.outcome === 'failed') return failed(`Get ${goQuote(url)}: ${answer.message}`);
    const { code } = answer.body as { readonly code: number };
    if (code < 200 || code >= 300) return failed(`bad status from ${url}: ${code}`);
    return passed;
  }
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
      (ports ?? []).some((one) => (one.name ?? '') === portName) &&
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
  workers: () => 1,
  watches: [watchOf<APIService, AvailabilityController>(apiServiceType, ({ object }) => [object.metadata.name ?? ''])],
  create: (environment) => new AvailabilityController(environment),
});
