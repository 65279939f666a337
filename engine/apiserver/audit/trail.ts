/**
 * What audit knows of one request while it goes through the server, and the events it makes of it. Mirrors apiserver
 * pkg/audit/{context,request}.go.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { Impersonated } from '../auth/impersonation.ts';
import type { AuditEvent, ObjectReference, ResponseStatus } from './event.ts';
import { auditLevels, type AuditLevel, type AuditStage } from './policy.ts';
import type { AuditDecision, AuditSubject } from './policy-rules.ts';

export interface AuditedRequest extends AuditSubject {
  readonly auditId: string;
  /** With the query. */
  readonly requestUri: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** Virtual time. */
  readonly receivedMs: number;
}

/** Where events go. `keep` says whether the request may go on, later where somebody has to take the event first. */
export interface AuditSteps {
  /** Of the Status of an answer its reason and code alone are told, as of old. */
  readonly outlinesStatuses: boolean;
  nowMs(): number;
  keep(event: AuditEvent): boolean | Promise<boolean>;
  /** Of the first event, on which the request hangs. */
  refused(): void;
}

export class AuditTrail {
  readonly #request: AuditedRequest;
  readonly #decision: AuditDecision;
  readonly #steps: AuditSteps;
  readonly #annotations = new Map<string, string>();
  #objectRef: ObjectReference | undefined;
  #impersonated: Impersonated | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #status: ResponseStatus | undefined;
  #isReceived = false;
  #mayGoOn = true;
  #delivery: Promise<void> | undefined;

  constructor(request: AuditedRequest, decision: AuditDecision, steps: AuditSteps) {
    this.#request = request;
    this.#decision = decision;
    this.#steps = steps;
    this.#objectRef = referenceOf(request);
  }

  /** Whether the objects of a level are logged; who makes them asks first. */
  wants(level: AuditLevel): boolean {
    return auditLevels.indexOf(this.#decision.level) >= auditLevels.indexOf(level);
  }

  get omitsManagedFields(): boolean {
    return this.#decision.omitManagedFields;
  }

  /** The first event, once however often the request begins again. False: the request must not go on. While there is a `delivery` it is not known. */
  received(): boolean {
    if (this.#isReceived) return this.#mayGoOn;
    this.#isReceived = true;
    const judge = (isKept: boolean): void => {
      this.#mayGoOn = isKept;
      if (!isKept) this.#steps.refused();
    };
    this.#emit('RequestReceived', this.#request.receivedMs, judge);
    return this.#mayGoOn;
  }

  /** Events on their way to somebody whom the request waits for; resolves when they have been taken or are lost. */
  get delivery(): Promise<void> | undefined {
    return this.#delivery;
  }

  impersonated(wanted: Impersonated): void {
    this.#impersonated = wanted;
  }

  authorized(allowed: boolean, reason: string): void {
    this.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', reason);
  }

  /** The first value of a key stays. */
  annotate(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** An object that came as the body, which tells what the path does not. */
  refersTo({ metadata }: Pick<KubeObject, 'metadata'>): void {
    const { namespace, name, uid, resourceVersion } = metadata ?? {};
    const known = this.#objectRef ?? {};
    this.#objectRef = inOrder({
      ...known,
      namespace: known.namespace || namespace,
      name: known.name || name,
      uid,
      resourceVersion,
    });
  }

  requestObject(json: string): void {
    this.#requestObject = json;
  }

  responseObject(json: string): void {
    this.#responseObject = json;
  }

  /** The answer is, or carries, a Status. */
  answeredWith({ status, message, reason, details, code }: Partial<Status>): void {
    const isWhole = !this.#steps.outlinesStatuses;
    this.#status = {
      ...(status && { status }),
      ...(message && isWhole && { message }),
      ...(reason && { reason }),
      ...(details && isWhole && { details }),
      ...(code && { code }),
    };
  }

  /** A stream begins. */
  started(code: number): void {
    this.#answered(code);
    this.#emit('ResponseStarted', this.#steps.nowMs());
  }

  completed(code: number): void {
    this.#answered(code);
    this.#emit('ResponseComplete', this.#steps.nowMs());
  }

  panicked(what: string): void {
    this.#status = { status: 'Failure', message: `APIServer panic'd: ${what}`, reason: 'InternalError', code: 500 };
    this.#emit('Panic', this.#steps.nowMs());
  }

  #answered(code: number): void {
    this.#status = { ...this.#status, code };
  }

  #emit(stage: AuditStage, stageMs: number, judge: (isKept: boolean) => void = () => undefined): void {
    const { level, omitStages } = this.#decision;
    if (omitStages.has(stage)) return;
    const { auditId, requestUri, identity, info, sourceIps, userAgent, receivedMs } = this.#request;
    const kept = this.#steps.keep({
      level,
      auditId,
      stage,
      requestUri,
      verb: info.verb,
      user: identity,
      impersonatedUser: this.#impersonated?.identity,
      impersonationConstraint: this.#impersonated?.constraint ?? '',
      sourceIps,
      userAgent,
      objectRef: this.#objectRef,
      responseStatus: this.#status,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      receivedMs,
      stageMs,
      annotations: this.#annotations,
    });
    if (kept instanceof Promise) this.#awaiting(kept.then(judge));
    else judge(kept);
  }

  #awaiting(taken: Promise<void>): void {
    const before = this.#delivery;
    const delivery: Promise<void> = (before === undefined ? taken : Promise.all([before, taken]).then(() => undefined)).finally(() => {
      if (this.#delivery === delivery) this.#delivery = undefined;
    });
    this.#delivery = delivery;
  }
}

function referenceOf({ info }: AuditSubject): ObjectReference | undefined {
  if (!info.isResource) return undefined;
  const { resource, namespace, name, group, version, subresource } = info;
  return inOrder({ resource, namespace, name, apiGroup: group, apiVersion: version, subresource });
}

/** As upstream writes it: what is empty is left out. */
function inOrder(reference: { readonly [key in keyof ObjectReference]: string | undefined }): ObjectReference {
  const keys = ['resource', 'namespace', 'name', 'uid', 'apiGroup', 'apiVersion', 'resourceVersion', 'subresource'] as const;
  return Object.fromEntries(keys.flatMap((key) => (reference[key] ? [[key, reference[key]]] : [])));
}
