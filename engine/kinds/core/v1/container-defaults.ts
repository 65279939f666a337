/** Defaults of containers, probes and resource lists. Mirrors pkg/apis/core/v1/defaults.go and its generated callers. */
import type {
  Container,
  EphemeralContainer,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  ResourceRequirements,
} from '../../../api/core/v1/types.gen.ts';
import { edit, editEach, fillZero } from '../../shared/defaulting.ts';

type ResourceList = { readonly [name: string]: string };

const probeDefaults = Object.freeze({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
const httpGetDefaults = Object.freeze({ path: '/', scheme: 'HTTP' });
const portDefaults = Object.freeze({ protocol: 'TCP' });
const messageDefaults = Object.freeze({ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });

/** Fields both ordinary and ephemeral containers have. */
type AnyContainer = Container | EphemeralContainer;

export function defaultContainer<C extends AnyContainer>(container: C): C {
  let next: AnyContainer = fillZero<AnyContainer>(container, messageDefaults);
  if (!next.imagePullPolicy) next = { ...next, imagePullPolicy: pullPolicyFor(next.image ?? '') };
  if (next.ports !== undefined) next = editEach(next, 'ports', defaultPort);
  if (next.env !== undefined) next = editEach(next, 'env', defaultEnv);
  if (next.resources !== undefined) next = edit(next, 'resources', defaultResources);
  if (next.livenessProbe) next = edit(next, 'livenessProbe', defaultProbe);
  if (next.readinessProbe) next = edit(next, 'readinessProbe', defaultProbe);
  if (next.startupProbe) next = edit(next, 'startupProbe', defaultProbe);
  if (next.lifecycle) next = edit(next, 'lifecycle', defaultLifecycle);
  return next as C;
}

function defaultPort<P extends { readonly protocol?: string }>(port: P): P {
  return port.protocol ? port : { ...port, ...portDefaults };
}

type EnvVar = NonNullable<Container['env']>[number];

function defaultEnv(variable: EnvVar): EnvVar {
  const source = variable.valueFrom;
  if (source?.fieldRef && !source.fieldRef.apiVersion) {
    return { ...variable, valueFrom: { ...source, fieldRef: { ...source.fieldRef, apiVersion: 'v1' } } };
  }
  if (source?.fileKeyRef && source.fileKeyRef.optional === undefined) {
    return { ...variable, valueFrom: { ...source, fileKeyRef: { ...source.fileKeyRef, optional: false } } };
  }
  return variable;
}

export function defaultResources(resources: ResourceRequirements): ResourceRequirements {
  const limits = resources.limits && roundResourceList(resources.limits);
  const requests = resources.requests && roundResourceList(resources.requests);
  if (limits === resources.limits && requests === resources.requests) return resources;
  return { ...resources, ...(limits && { limits }), ...(requests && { requests }) };
}

/** Nothing finer than a thousandth is kept: what is between two is the one that is further from nothing. */
export function roundResourceList(list: ResourceList): ResourceList {
  let fine = false;
  for (const name in list) if (isFine(list[name] ?? '')) fine = true;
  if (!fine) return list;
  return Object.fromEntries(Object.entries(list).map(([name, text]) => [name, isFine(text) ? roundToMilli(text) : text]));
}

function isFine(text: string): boolean {
  return text.endsWith('n') || text.endsWith('u');
}

function roundToMilli(text: string): string {
  const exact = Number(text.slice(0, -1)) / (text.endsWith('n') ? 1e6 : 1e3);
  const milli = Math.sign(exact) * Math.ceil(Math.abs(exact));
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
}

function defaultProbe(probe: Probe): Probe {
  let next = fillZero(probe, probeDefaults);
  if (next.httpGet) next = edit(next, 'httpGet', defaultHttpGet);
  if (next.grpc && (next.grpc.service === undefined || next.grpc.service === null)) next = { ...next, grpc: { ...next.grpc, service: '' } };
  return next;
}

function defaultHttpGet(action: HTTPGetAction): HTTPGetAction {
  return fillZero(action, httpGetDefaults);
}

function defaultLifecycle(lifecycle: Lifecycle): Lifecycle {
  return edit(edit(lifecycle, 'postStart', defaultHandler), 'preStop', defaultHandler);
}

function defaultHandler(handler: LifecycleHandler): LifecycleHandler {
  return edit(handler, 'httpGet', defaultHttpGet);
}

/** `Always` for images without a fixed version. */
export function pullPolicyFor(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The tag of an image; `latest` where neither tag nor digest is given; empty with a digest alone or when the text is no image. */
function imageTag(image: string): string {
  const at = image.indexOf('@');
  const named = at < 0 ? image : image.slice(0, at);
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  const repository = colon < 0 ? named : named.slice(0, colon);
  if (!isRepository(repository) || (at >= 0 && !digest.test(image.slice(at + 1)))) return '';
  if (colon >= 0) return named.slice(colon + 1);
  return at < 0 ? 'latest' : '';
}

const digest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const domain = /^(?:[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*|\[[a-f0-9:]+\])(?::\d+)?$/i;

/** Of a repository without its domain. */
const pathMax = 255;

/** All but a domain in front must be lower case; what looks like the id of an image is no name. */
function isRepository(repository: string): boolean {
  const slash = repository.indexOf('/');
  const first = slash < 0 ? '' : repository.slice(0, slash);
  const isDomain = first.includes('.') || first.includes(':') || first === 'localhost' || first !== first.toLowerCase();
  if ((isDomain && !domain.test(first)) || /^[a-f0-9]{64}$/.test(repository)) return false;
  const path = isDomain ? repository.slice(slash + 1) : slash < 0 ? `library/${repository}` : repository;
  return path.length <= pathMax && /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/.test(path);
}
