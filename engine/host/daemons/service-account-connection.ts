/**
 * A connection that speaks as a service account of kube-system. Mirrors controller-manager pkg/clientbuilder's dynamic builder and, before
 * a server that gives no tokens when it is asked, the one of release 1.13 (pkg/controller/client_builder.go), which waits for a Secret.
 */
import type { TokenRequest, TokenReview } from '../../api/authentication/v1/types.gen.ts';
import type { Secret, SecretList, ServiceAccount } from '../../api/core/v1/types.gen.ts';
import { reasonForError } from '../../apimachinery/errors.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { Connection } from '../remote/connection.ts';
import type { RemoteServer } from '../remote/kubeconfig-reader.ts';
import type { Workplace } from './daemon.ts';

const accountsPath = '/api/v1/namespaces/kube-system/serviceaccounts';
const tokenSeconds = 3600;
/** A token is asked for anew when this share of its time is over. */
const renewShare = 0.8;
const retryMs = 10_000;
const secretsPath = '/api/v1/namespaces/kube-system/secrets';
const tokenSecretType = 'kubernetes.io/service-account-token';
/** How long its Secret is waited for, and how often it is looked for meanwhile. */
const secretWaitMs = 30_000;
const secretLookMs = 250;

/** Without an end where it comes from a Secret. */
interface Token {
  readonly token: string;
  readonly untilMs?: number;
}

/** Makes the account where it is missing. Rejects with a StatusError when the server gives no token. */
export async function serviceAccountConnection(
  account: string,
  { runtime, server, log }: Pick<Workplace, 'runtime' | 'server' | 'log'>,
): Promise<Connection> {
  const connection = new Connection(reachedAs(server), `kube-controller-manager/${account}`);
  runtime.onClose(() => connection.close());
  const renew = async (): Promise<void> => {
    const { token, untilMs } = await newToken(runtime.connection, account);
    connection.setToken(token);
    if (untilMs !== undefined) again(Math.max(retryMs, (untilMs - Date.now()) * renewShare));
  };
  const again = (ms: number): void => {
    const timer = setTimeout(() => {
      renew().catch((error: Error) => {
        log.error('service-accounts', `no token for ${account}: ${error.message}`);
        again(retryMs);
      });
    }, ms);
    runtime.onClose(() => clearTimeout(timer));
  };
  await renew();
  return connection;
}

/** The same server, reached the same way, without who asks. */
function reachedAs({ server, ca, insecure, serverName, proxyUrl }: RemoteServer): RemoteServer {
  return {
    server,
    ...(ca !== undefined && { ca }),
    ...(insecure && { insecure }),
    ...(serverName !== undefined && { serverName }),
    ...(proxyUrl !== undefined && { proxyUrl }),
  };
}

async function newToken(connection: Connection, account: string): Promise<Token> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: tokenSeconds } };
  const ask = async (): Promise<Token> => {
    const { status } = await connection.call<TokenRequest>('POST', `${accountsPath}/${account}/token`, body);
    return { token: status?.token ?? '', untilMs: parseTime(status?.expirationTimestamp ?? '') ?? 0 };
  };
  return ask()
    .catch(async (error: unknown) => {
      unlessAbsent(error);
      await create(connection, account);
      return ask();
    })
    .catch((error: unknown) => {
      // The account is there by now: the server has no such subresource.
      unlessAbsent(error);
      return tokenOfSecret(connection, account);
    });
}

function unlessAbsent(error: unknown): void {
  if (reasonForError(error) !== 'NotFound') throw error;
}

/** Whoever holds the key of tokens puts one into a Secret of each account. */
async function tokenOfSecret(connection: Connection, name: string): Promise<Token> {
  const { metadata } = await connection.call<ServiceAccount>('GET', `${accountsPath}/${name}`);
  const untilMs = performance.now() + secretWaitMs;
  while (performance.now() < untilMs) {
    const { items } = await connection.call<SecretList>('GET', `${secretsPath}?fieldSelector=type%3D${encodeURIComponent(tokenSecretType)}`);
    for (const secret of (items ?? []).filter((one) => isTokenOf(one, metadata?.uid))) {
      const token = Buffer.from(secret.data?.['token'] ?? '', 'base64').toString();
      if (await isGood(connection, token, name)) return { token };
      await connection.call('DELETE', `${secretsPath}/${secret.metadata?.name}`).catch(unlessAbsent);
    }
    await new Promise((resolve) => setTimeout(resolve, secretLookMs));
  }
  throw new Error(`unable to get token for service account: timed out waiting for the condition (${name})`);
}

function isTokenOf({ metadata, data }: Secret, uid: string | undefined): boolean {
  return metadata?.annotations?.['kubernetes.io/service-account.uid'] === uid && (data?.['token'] ?? '') !== '';
}

async function isGood(connection: Connection, token: string, name: string): Promise<boolean> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const { status } = await connection.call<TokenReview>('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
  return status?.authenticated === true && status.user?.username === `system:serviceaccount:kube-system:${name}`;
}

async function create(connection: Connection, account: string): Promise<void> {
  try {
    await connection.call('POST', accountsPath, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'kube-system' } });
  } catch (error) {
    if (reasonForError(error) !== 'AlreadyExists') throw error;
  }
}
