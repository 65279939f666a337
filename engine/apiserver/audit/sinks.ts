/**
 * AuditSinks of release 1.13: webhooks that clients have events sent to, each with a level and stages of its own. Mirrors apiserver
 * plugin/pkg/audit/dynamic.
 */
import type { AuditSink as AuditSinkObject, AuditSinkSpec } from '../../api/auditregistration/v1alpha1/types.gen.ts';
import { goJson } from '../../apimachinery/quote.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { WatchedObjects } from '../admission/hooks/sources.ts';
import { type WebhookCall, withTimeout } from '../admission/webhooks/calls.ts';
import { type FindPodServer, type RouteReader, routeTo } from '../admission/webhooks/routes.ts';
import type { JsonValue } from '../../base/json.ts';
import { atLevel, type AuditEvent, formats } from './event.ts';
import type { AuditLevel } from './policy.ts';

/** Batches of one sink on their way; `close` sends what waits. */
export interface SinkWay {
  write(line: string): void;
  close(): Promise<void>;
}

export interface SinkTarget {
  readonly name: string;
  /** Batches a second, and at the same moment. */
  readonly throttle: { readonly qps: number; readonly burst: number };
  /**
   * Whom a body goes to, found when it leaves: Services and their pods come and go. Undefined: a simulated pod, which takes everything
   * and tells nobody. Throws an Error that says why there is nobody.
   */
  call(json: string): WebhookCall | undefined;
}

export type OpenSink = (target: SinkTarget) => SinkWay;

/** How long a sink may take for a body. */
const timeoutSeconds = 30;
/** A reference to a Service names no other. */
const httpsPort = 443;

interface Delegate {
  readonly spec: string;
  readonly way: SinkWay;
  take(event: AuditEvent): void;
}

export class AuditSinks {
  readonly #objects: WatchedObjects;
  readonly #open: OpenSink;
  readonly #reader: RouteReader;
  readonly #podServer: FindPodServer;
  #generation = -1;
  #byUid = new Map<string, Delegate>();
  #delegates: readonly Delegate[] = [];

  constructor(objects: WatchedObjects, open: OpenSink, reader: RouteReader, podServer: FindPodServer) {
    this.#objects = objects;
    this.#open = open;
    this.#reader = reader;
    this.#podServer = podServer;
  }

  /** One whose spec is what it was keeps its way; the ways of others end once the new ones stand. */
  list(): readonly Pick<Delegate, 'take'>[] {
    if (this.#objects.generation === this.#generation) return this.#delegates;
    this.#generation = this.#objects.generation;
    const before = this.#byUid;
    this.#byUid = new Map((this.#objects.list() as readonly AuditSinkObject[]).map((sink) => this.#delegateOf(sink, before)));
    this.#delegates = [...this.#byUid.values()];
    const kept = new Set(this.#delegates);
    for (const delegate of before.values()) if (!kept.has(delegate)) void delegate.way.close();
    return this.#delegates;
  }

  #delegateOf({ metadata, spec }: AuditSinkObject, before: ReadonlyMap<string, Delegate>): readonly [string, Delegate] {
    const { uid = '', name = '' } = metadata as KubeObject['metadata'];
    const text = goJson(spec as unknown as JsonValue);
    const known = before.get(uid);
    if (known?.spec === text) return [uid, known];
    const { webhook, policy } = spec as AuditSinkSpec;
    const { qps = 0, burst = 0 } = webhook.throttle ?? {};
    const way = this.#open({
      name,
      throttle: { qps: Number(qps), burst: Number(burst) },
      call: (json) => this.#callOf(webhook.clientConfig, json),
    });
    const stages = new Set<string>(policy.stages ?? []);
    const take = (event: AuditEvent): void => {
      const cut = stages.has(event.stage) ? atLevel(event, policy.level as AuditLevel) : undefined;
      if (cut !== undefined) way.write(formats.json(cut));
    };
    return [uid, { spec: text, way, take }];
  }

  #callOf({ service, url = '', caBundle = '' }: AuditSinkSpec['webhook']['clientConfig'], text: string): WebhookCall | undefined {
    if (service === undefined) return { url: withTimeout(url, timeoutSeconds), text, caBundle, serverName: '', host: '', port: 0 };
    const { namespace, name, path = '' } = service;
    const serverName = `${name}.${namespace}.svc`;
    const route = routeTo(namespace, name, httpsPort, this.#reader, this.#podServer);
    if (route.type === 'pod') return undefined;
    if (route.type === 'failed') throw new Error(route.message);
    if (route.type === 'silent') throw new Error('context deadline exceeded');
    const at = withTimeout(`https://${serverName}:${httpsPort}${path}`, timeoutSeconds);
    return { url: at, text, caBundle, serverName, host: route.host, port: route.port };
  }
}
