/** The plugins of admission that go by what users configure: webhooks and policies, in upstream's order. */
import type { AdmissionPlugin } from '../apiserver/admission/plugin.ts';
import type { AdmissionMeter } from '../apiserver/admission/meter.ts';
import { createMutatingPolicies } from '../apiserver/admission/policies/mutating.ts';
import { createValidatingPolicies } from '../apiserver/admission/policies/validating.ts';
import type { Placed, WatchedObjects } from '../apiserver/admission/hooks/sources.ts';
import type { ManifestPlugin } from '../apiserver/admission/manifests/loader.ts';
import type { PolicyObjects } from '../apiserver/admission/policies/bound.ts';
import type { WebhookTools } from '../apiserver/admission/webhooks/verdict.ts';
import type { ServerJudge } from '../apiserver/admission/webhooks/calls.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { ToldReview } from '../apiserver/admission/webhooks/former-review.ts';
import { WebhookMetrics } from '../apiserver/admission/webhooks/metrics.ts';
import { createMutatingWebhooks } from '../apiserver/admission/webhooks/mutating.ts';
import { createValidatingWebhooks } from '../apiserver/admission/webhooks/validating.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { KubeletConnections } from '../contracts/connect.ts';
import { storedUnder } from '../registry/core.ts';
import type { ClusterManifests } from './admission-manifests.ts';
import type { Store } from '../store/store.ts';

export interface AdmissionHooks {
  readonly plugins: readonly AdmissionPlugin[];
  readonly metrics: WebhookMetrics;
  /** What else is configured by objects below a prefix. */
  objects(prefix: string): WatchedObjects;
  /** Stored objects were replaced behind the watches' back. */
  reload(): void;
}

interface Configuration extends KubeObject {
  readonly webhooks: readonly { readonly name: string }[] | null;
}

const configurations = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const;

export interface HookOptions {
  /** Whether policies change what comes in; they can be written in any case. */
  readonly policiesMutate: boolean;
  readonly meter: AdmissionMeter;
  readonly serverFault: ServerJudge | undefined;
  nowMs(): number;
  readonly told: ToldReview | undefined;
  readonly requests: Pick<RequestLog, 'asked'>;
}

export function createAdmissionHooks(
  store: Store<KubeObject>,
  kubelets: Pick<KubeletConnections, 'serverAt'>,
  /** What lies on disk. */
  manifests: Pick<ClusterManifests, 'kubeconfigOf' | 'webhooks' | 'policies' | 'onChanged'>,
  { policiesMutate, meter, serverFault, nowMs, told, requests }: HookOptions,
): AdmissionHooks {
  const watched: Watched[] = [];
  const objects = (prefix: string): WatchedObjects => {
    const made = new Watched(store, prefix);
    watched.push(made);
    return made;
  };
  const metrics = new WebhookMetrics(nowMs);
  const forget = (object: KubeObject | undefined): void => {
    for (const { name } of (object as Partial<Configuration> | undefined)?.webhooks ?? []) metrics.health.forget(name);
  };
  for (const prefix of configurations)
    store.watch({
      prefix: `/registry/${prefix}/`,
      onChanges: (changes) => changes.forEach(({ previous, current }) => [previous, current].forEach((one) => forget(one?.value))),
    });
  manifests.onChanged(() => metrics.health.forgetAll());
  const onInside: WebhookTools['onInside'] = (question, answer, tookMs) => requests.asked(question, answer, tookMs);
  const tools = { metrics, podServer: kubelets.serverAt.bind(kubelets), serverFault, onInside };
  const webhooks = (plugin: ManifestPlugin, prefix: string): [Placed<WatchedObjects>, WebhookTools] => [
    manifests.webhooks(plugin, objects(prefix)),
    { ...tools, told, kubeconfig: manifests.kubeconfigOf(plugin) },
  ];
  const policies = (plugin: ManifestPlugin, stem: string): Placed<PolicyObjects> =>
    manifests.policies(plugin, { policies: objects(`${stem}ies`), bindings: objects(`${stem}ybindings`) });
  return {
    plugins: [
      ...(policiesMutate ? [createMutatingPolicies(policies('MutatingAdmissionPolicy', 'mutatingadmissionpolic'), meter)] : []),
      createMutatingWebhooks(...webhooks('MutatingAdmissionWebhook', configurations[0])),
      createValidatingPolicies(policies('ValidatingAdmissionPolicy', 'validatingadmissionpolic'), meter),
      createValidatingWebhooks(...webhooks('ValidatingAdmissionWebhook', configurations[1])),
    ],
    metrics,
    objects,
    reload: () => {
      metrics.health.forgetAll();
      watched.forEach((one) => one.changed());
    },
  };
}

class Watched implements WatchedObjects {
  readonly #store: Store<KubeObject>;
  readonly #prefix: string;
  generation = 0;

  constructor(store: Store<KubeObject>, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
    store.watch({ prefix: `/registry/${prefix}/`, onChanges: () => this.changed() });
  }

  changed(): void {
    this.generation++;
  }

  list(): readonly KubeObject[] {
    return storedUnder(this.#store, this.#prefix);
  }
}
