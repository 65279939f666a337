/** What hooks of kinds may know of a request: its attempt's view, draws and allocators, and who asks. */
import type { KubeObject } from '../apimachinery/object.ts';
import { assert } from '../base/assert.ts';
import type { AccessOracle, AccessReviewer } from '../contracts/access.ts';
import type { CertificateJudge } from '../contracts/certificates.ts';
import type { ServiceAllocator, StrategyContext } from '../contracts/kind.ts';
import type { Ask } from '../contracts/questions.ts';
import type { Ratchet } from '../contracts/ratchets.ts';
import type { Identity, Verb } from '../contracts/request.ts';
import type { WriteCall, WriteCore } from './core.ts';
import type { Resource } from './resource.ts';
import { allocatorFor } from './allocation.ts';

/** What of a write a context goes by. */
export type ContextCall = Pick<WriteCall, 'identity' | 'dryRun' | 'subresource' | 'verb' | 'own'> & { readonly resource?: Resource };

export class RequestContext implements StrategyContext {
  readonly identity: Identity;
  readonly dryRun: boolean;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly verb?: Verb;
  readonly nowMs: number;
  readonly nowText: string;
  readonly access?: AccessOracle;
  readonly #core: WriteCore;
  readonly #call: ContextCall;
  #services: ServiceAllocator | undefined;

  constructor(core: WriteCore, call: ContextCall) {
    if (call.resource !== undefined) this.apiVersion = call.resource.apiVersion;
    this.#core = core;
    this.#call = call;
    this.identity = call.identity;
    this.dryRun = call.dryRun;
    if (call.subresource !== undefined) this.subresource = call.subresource;
    if (call.verb !== undefined) this.verb = call.verb;
    const { access } = core.dependencies;
    if (access !== undefined) this.access = within(access, (question) => core.ask(question));
    this.nowMs = core.nowMs();
    this.nowText = core.nowText();
  }

  get services(): ServiceAllocator | undefined {
    this.#services ??= allocatorFor(this.#core, this.#call);
    return this.#services;
  }

  get certificates(): CertificateJudge | undefined {
    return this.#core.dependencies.certificates;
  }

  newUid(): string {
    return this.#core.newUid();
  }

  randomSuffix(): string {
    return this.#core.randomSuffix();
  }

  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    assert(name !== '', 'a lookup names an object');
    return this.#core.lookup(group, resource, namespace, name);
  }

  resourceOf(group: string, version: string, kind: string): string | undefined {
    return this.#core.table.findKind(group, version, kind)?.kind.plural;
  }

  featureEnabled(gate: string): boolean {
    return this.#core.featureEnabled(gate);
  }

  ratcheted(ratchet: Ratchet): boolean {
    return this.#core.ratcheted(ratchet);
  }
}

/** Reviews that ask through an attempt. */
function within(reviewer: AccessReviewer, ask: Ask): AccessOracle {
  return {
    authorize: (identity, attributes) => reviewer.authorize(identity, attributes, ask),
    rulesOf: (identity, namespace) => reviewer.rulesOf(identity, namespace),
    rulesMissing: (identity) => reviewer.rulesMissing?.(identity) ?? [],
    rolesMissing: (identity, namespace) => reviewer.rolesMissing?.(identity, namespace) ?? [],
    knownToken: (token, audiences) => reviewer.knownToken(token, audiences, ask),
  };
}
