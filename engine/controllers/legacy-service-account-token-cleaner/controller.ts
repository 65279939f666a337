/**
 * Marks tokens in Secrets that were made for accounts and that nobody has used for long, and deletes them when they stay unused.
 * Mirrors pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go. It begins a year after the API server has begun to
 * note their use, which the ConfigMap `kube-apiserver-legacy-service-account-token-tracking` of kube-system says.
 */
import type { ConfigMap, Pod, Secret, ServiceAccount } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { timerCause } from '../../base/causes.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { configMaps, pods, secrets, serviceAccounts } from '../../client/resources.ts';
import { podSecretNames } from '../../component-helpers/pod-references.ts';
import { accountNameAnnotation, accountUidAnnotation, tokenSecretType } from '../../component-helpers/token-secrets.ts';
import { type Controller, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { parseTime } from '../lib/time.ts';

const name = 'legacy-serviceaccount-token-cleaner-controller';
const trackingConfigMap = 'kube-apiserver-legacy-service-account-token-tracking';
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';
const dayMs = 86_400_000;
const passTimer = 'clean';

interface Pass {
  readonly client: Client;
  readonly today: string;
  /** What was made, used or marked since then stays. */
  readonly sinceMs: number;
  readonly mounted: Map<string, ReadonlySet<string>>;
}

class LegacyTokenCleaner implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #accounts: Informer<ServiceAccount>;
  readonly #secrets: Informer<Secret>;
  readonly #pods: Informer<Pod>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#accounts = environment.informer(serviceAccounts);
    this.#secrets = environment.informer(secrets);
    this.#pods = environment.informer(pods);
  }

  start(): void {
    this.#environment.setTimer(0, passTimer);
  }

  async onTimer(): Promise<void> {
    this.#environment.setTimer(dayMs, passTimer);
    const nowMs = this.#environment.nowMs();
    const client = this.#environment.client.because([timerCause(`controller/${name}`, passTimer)]);
    const { legacyTokenCleanUpMs } = this.#environment.options;
    const trackedMs = await trackedSinceMs(client);
    // The day of the beginning counts as not tracked.
    if (trackedMs === undefined || nowMs < trackedMs + dayMs + legacyTokenCleanUpMs) return;
    const pass: Pass = { client, today: dateOf(nowMs), sinceMs: nowMs - legacyTokenCleanUpMs, mounted: new Map() };
    for (const secret of this.#secrets.list()) {
      if (!this.#isUnused(secret, pass)) continue;
      try {
        await this.#markOrDelete(secret, pass);
      } catch (error) {
        // The next pass looks again.
        if (!(error instanceof StatusError)) throw error;
      }
    }
  }

  async reconcile(): Promise<void> {
    // All work is done in passes; no key is ever queued.
  }

  #isUnused(secret: Secret, { sinceMs, mounted }: Pass): boolean {
    const { namespace = '', name: secretName = '', creationTimestamp, deletionTimestamp, labels = {} } = secret.metadata;
    if (secret.type !== tokenSecretType || deletionTimestamp !== undefined || (parseTime(creationTimestamp) ?? 0) >= sinceMs) return false;
    const lastUsed = labels[lastUsedLabel];
    if (lastUsed !== undefined && (!isDate(lastUsed) || lastUsed >= dateOf(sinceMs))) return false;
    // Those that somebody made by hand are not in their account's list.
    if (this.#account(secret)?.secrets?.some((reference) => reference.name === secretName) !== true) return false;
    const names = mounted.get(namespace) ?? new Set(this.#pods.list(namespace).flatMap((pod) => [...podSecretNames(pod)]));
    mounted.set(namespace, names);
    return !names.has(secretName);
  }

  async #markOrDelete({ metadata }: Secret, { client, today, sinceMs }: Pass): Promise<void> {
    const { namespace, name: secretName = '', uid = '', resourceVersion = '', labels = {} } = metadata;
    const invalidSince = labels[invalidSinceLabel] ?? '';
    if (!isDate(invalidSince))
      await client.patch(secrets, namespace, secretName, 'merge', { metadata: { uid, labels: { [invalidSinceLabel]: today } } });
    else if (invalidSince < dateOf(sinceMs)) await client.delete(secrets, namespace, secretName, { preconditions: { resourceVersion } });
  }

  #account({ metadata }: Secret): ServiceAccount | undefined {
    const { namespace, annotations = {} } = metadata;
    const account = this.#accounts.get(namespace, annotations[accountNameAnnotation] ?? '');
    const uid = annotations[accountUidAnnotation] ?? '';
    return uid === '' || account?.metadata.uid === uid ? account : undefined;
  }
}

async function trackedSinceMs(client: Client): Promise<number | undefined> {
  try {
    const { data = {} }: ConfigMap = await client.get(configMaps, 'kube-system', trackingConfigMap);
    const since = data['since'] ?? '';
    return isDate(since) ? parseTime(`${since}T00:00:00Z`) : undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return undefined;
  }
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTime(`${text}T00:00:00Z`) !== undefined;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export const legacyServiceAccountTokenCleanerController = defineController<LegacyTokenCleaner>({
  name,
  aliases: ['legacy-service-account-token-cleaner', 'legacy-serviceaccount-token-cleaner'],
  serviceAccount: 'legacy-service-account-token-cleaner',
  eventSource: name,
  workers: () => 1,
  watches: [watchOf(serviceAccounts, () => []), watchOf(secrets, () => []), watchOf(pods, () => [])],
  create: (environment) => new LegacyTokenCleaner(environment),
});
