/** A connection that speaks as a service account of kube-system. Mirrors controller-manager pkg/clientbuilder's dynamic builder. */
import type { TokenRequest } from '../../api/authentication/v1/types.gen.ts';
import { reasonForError } from '../../apimachinery/errors.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { Connection } from '../remote/connection.ts';
import type { Workplace } from './daemon.ts';

const accountsPath = '/api/v1/namespaces/kube-system/serviceaccounts';
const tokenSeconds = 3600;
/** A token is asked for anew when this share of its time is over. */
const renewShare = 0.8;
const retryMs = 10_000;

/** Makes the account where it is missing. Rejects with a StatusError when the server gives no token. */
export async function serviceAccountConnection(
  account: string,
  { runtime, server, log }: Pick<Workplace, 'runtime' | 'server' | 'log'>,
): Promise<Connection> {
  const { ca } = server;
  const connection = new Connection({ server: server.server, ...(ca === undefined ? {} : { ca }) }, `kube-controller-manager/${account}`);
  runtime.onClose(() => connection.close());
  const renew = async (): Promise<void> => {
    const { token, untilMs } = await newToken(runtime.connection, account);
    connection.setToken(token);
    again(Math.max(retryMs, (untilMs - Date.now()) * renewShare));
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

async function newToken(connection: Connection, account: string): Promise<{ readonly token: string; readonly untilMs: number }> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: tokenSeconds } };
  const ask = (): Promise<TokenRequest> => connection.call<TokenRequest>('POST', `${accountsPath}/${account}/token`, body);
  const { status } = await ask().catch(async (error: unknown) => {
    if (reasonForError(error) !== 'NotFound') throw error;
    await create(connection, account);
    return ask();
  });
  return { token: status?.token ?? '', untilMs: parseTime(status?.expirationTimestamp ?? '') ?? 0 };
}

async function create(connection: Connection, account: string): Promise<void> {
  try {
    await connection.call('POST', accountsPath, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'kube-system' } });
  } catch (error) {
    if (reasonForError(error) !== 'AlreadyExists') throw error;
  }
}
