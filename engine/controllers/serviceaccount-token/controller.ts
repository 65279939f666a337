/**
 * Fills Secrets of type service-account-token, removes them with their account, and, in releases whose pods mount them, makes one for
 * every account. Mirrors pkg/controller/serviceaccount/tokens_controller.go.
 */
import type { Secret, ServiceAccount } from '../../api/core/v1/types.gen.ts';
import { isConflict, isNotFound } from '../../apimachinery/errors.ts';
import { encodeBase64 } from '../../base/base64.ts';
import type { Client } from '../../client/client.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { secrets, serviceAccounts } from '../../client/resources.ts';
import { accountNameAnnotation, accountUidAnnotation, isTokenOf, tokenSecretType } from '../../component-helpers/token-secrets.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import type { RandomStream } from '../../base/random.ts';
import { type ControllerEnvironment, defineController, type TokenSecretOptions } from '../controller.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import { accountKey, type AccountKey, parseKey, secretKey, type SecretKey } from './keys.ts';

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

class TokenController implements Controller {
  readonly #accounts: Informer<ServiceAccount>;
  readonly #secrets: Informer<Secret>;
  readonly #random: RandomStream;
  readonly #rootCa: string;
  readonly #tokens: TokenSecretOptions | undefined;

  constructor(environment: ControllerEnvironment) {
    this.#accounts = environment.informer(serviceAccounts);
    this.#secrets = environment.informer(secrets);
    this.#random = environment.random;
    this.#rootCa = base64Of(environment.options.rootCaPem);
    this.#tokens = environment.options.tokenSecrets;
  }

  async reconcile({ client }: ReconcileContext, text: string): Promise<void> {
    const key = parseKey(text);
    if ('accountName' in key) await this.#syncSecret(client, key);
    else await this.#syncAccount(client, key);
  }

  async #syncAccount(client: Client, key: AccountKey): Promise<void> {
    const account = this.#account(key.namespace, key.name, key.uid);
    if (account === undefined) {
      const gone = { metadata: { namespace: key.namespace, name: key.name, uid: key.uid } };
      for (const secret of this.#secrets.list(key.namespace)) if (isTokenOf(secret, gone)) await remove(client, secret);
    } else if (this.#tokens?.forEveryAccount === true) await this.#ensureToken(client, account);
  }

  async #syncSecret(client: Client, key: SecretKey): Promise<void> {
    const { namespace, name, uid, accountName, accountUid } = key;
    const found = this.#secrets.get(namespace, name);
    const secret = found?.metadata.uid === uid ? found : undefined;
    const cached = this.#account(namespace, accountName, accountUid);
    if (secret === undefined) {
      if (cached !== undefined) await removeReference(client, key);
      return;
    }
    const account = cached ?? (await liveAccount(client, namespace, accountName, accountUid));
    if (account === undefined) await remove(client, secret);
    else if (this.#lacks(secret)) await this.#fill(client, account, secret);
  }

  #account(namespace: string, name: string, uid: string): ServiceAccount | undefined {
    const account = this.#accounts.get(namespace, name);
    return uid === '' || account?.metadata.uid === uid ? account : undefined;
  }

  #lacks({ data }: Secret): boolean {
    return data?.['ca.crt'] !== this.#rootCa || !data['namespace'] || !data['token'];
  }

  async #fill(client: Client, account: ServiceAccount, cached: Secret): Promise<void> {
    const { namespace = '', name = '' } = cached.metadata;
    const live = await client.get(secrets, namespace, name).catch(ignoreNotFound);
    // Somebody wrote it meanwhile: the event of that comes.
    if (live === undefined || live.metadata.resourceVersion !== cached.metadata.resourceVersion) return;
    const annotations = { ...live.metadata.annotations, ...annotationsOf(account) };
    const data = this.#data(account, name);
    const filled = { ...live, metadata: { ...live.metadata, annotations }, data: { ...data, ...live.data, 'ca.crt': this.#rootCa } };
    await client.update(secrets, filled).catch(ignoreLost);
  }

  /** Makes a Secret and refers to it from the account; takes it away again when that fails. */
  async #ensureToken(client: Client, account: ServiceAccount): Promise<void> {
    const { namespace = '', name: accountName = '', uid = '' } = account.metadata;
    if (await this.#refersToToken(client, account)) return;
    const live = await liveAccount(client, namespace, accountName, uid);
    if (live === undefined || live.metadata.resourceVersion !== account.metadata.resourceVersion) return;
    const name = `${accountName}-token-${this.#random.text(5, suffixAlphabet)}`;
    const metadata = { name, namespace, annotations: annotationsOf(account) };
    const draft: Secret = { kind: 'Secret', apiVersion: 'v1', metadata, data: this.#data(account, name), type: tokenSecretType };
    try {
      const made = await client.create(secrets, draft);
      try {
        await client.update(serviceAccounts, { ...live, secrets: [...(live.secrets ?? []), { name }] });
      } catch (error) {
        await remove(client, made);
        throw error;
      }
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  /** The Secrets of an account may be younger than what the cache knows: those it lacks are looked up. */
  async #refersToToken(client: Client, account: ServiceAccount): Promise<boolean> {
    const { namespace = '' } = account.metadata;
    for (const { name = '' } of account.secrets ?? []) {
      if (name === '') continue;
      const secret = this.#secrets.get(namespace, name) ?? (await client.get(secrets, namespace, name).catch(ignoreNotFound));
      if (secret !== undefined && isTokenOf(secret, account)) return true;
    }
    return false;
  }

  #data({ metadata: { namespace = '', name = '', uid = '' } }: ServiceAccount, secret: string): { readonly [key: string]: string } {
    const token = this.#tokens?.sign({ namespace, secret, serviceAccount: { name, uid } }) ?? '';
    return { 'ca.crt': this.#rootCa, namespace: base64Of(namespace), token: base64Of(token) };
  }
}

function annotationsOf({ metadata: { name = '', uid = '' } }: ServiceAccount): { readonly [key: string]: string } {
  return { [accountNameAnnotation]: name, [accountUidAnnotation]: uid };
}

async function liveAccount(client: Client, namespace: string, name: string, uid: string): Promise<ServiceAccount | undefined> {
  const live = await client.get(serviceAccounts, namespace, name).catch(ignoreNotFound);
  return uid === '' || live?.metadata.uid === uid ? live : undefined;
}

async function removeReference(client: Client, { namespace, name, accountName, accountUid }: SecretKey): Promise<void> {
  const live = await liveAccount(client, namespace, accountName, accountUid);
  if (live?.secrets?.some((reference) => reference.name === name) !== true) return;
  await client.update(serviceAccounts, { ...live, secrets: live.secrets.filter((reference) => reference.name !== name) }).catch(ignoreNotFound);
}

/** Just this Secret: another of its name is somebody else's. */
async function remove(client: Client, { metadata: { namespace, name = '', uid = '' } }: Secret): Promise<void> {
  await client.delete(secrets, namespace, name, { preconditions: { uid } }).catch(ignoreLost);
}

/** It is gone, or somebody was faster. */
function ignoreLost(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function base64Of(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}

function keysOfSecret({ object }: InformerEvent<Secret>): readonly string[] {
  return object.type === tokenSecretType ? [secretKey(object)] : [];
}

export const serviceAccountTokenController = defineController<TokenController>({
  name: 'serviceaccount-token-controller',
  aliases: ['serviceaccount-token'],
  eventSource: 'serviceaccount-token-controller',
  // Upstream's has no signing key without this option either.
  canRun: ({ tokenSecrets }) => tokenSecrets !== undefined,
  givesCredentials: true,
  workers: (options) => options.concurrentServiceAccountTokenSyncs,
  watches: [watchOf(serviceAccounts, ({ object }) => [accountKey(object)]), watchOf(secrets, keysOfSecret)],
  create: (environment) => new TokenController(environment),
});
