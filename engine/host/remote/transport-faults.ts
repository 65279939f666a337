/** What a client's transport would not take of a kubeconfig that says all that it must. Mirrors client-go rest and transport. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { goQuote } from '../../apimachinery/quote.ts';
import { fileFault } from '../go-files.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Plugins that once were built in, and what stands in their place. */
const removed = new Map([
  ['gcp', ['"gke-gcloud-auth-plugin"', 'https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke']],
  [
    'azure',
    ['https://github.com/Azure/kubelogin', 'https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins'],
  ],
]);
const pem = '-----BEGIN ';

/** One line; undefined where it takes everything. */
export function transportFault(cluster: Fields, user: Fields, kubeconfig: string): string | undefined {
  return (
    tokenFault(user, kubeconfig) ?? addressFault(cluster) ?? providerFault(user) ?? trustFault(cluster, kubeconfig) ?? pairFault(user, kubeconfig)
  );
}

function tokenFault(user: Fields, kubeconfig: string): string | undefined {
  const file = textOf(user, 'tokenFile');
  if (file === '' || textOf(user, 'token') !== '') return undefined;
  const path = resolve(dirname(kubeconfig), file);
  const fault = fileFault(() => readFileSync(path));
  return fault === undefined ? undefined : `open ${path}: ${fault}`;
}

/** A host and a port will do. */
function addressFault(cluster: Fields): string | undefined {
  const server = textOf(cluster, 'server');
  const isAddress = URL.canParse(/^https?:\/\//.test(server) ? server : `https://${server}`);
  return isAddress ? undefined : `host must be a URL or a host:port pair: ${goQuote(server)}`;
}

function trustFault(cluster: Fields, kubeconfig: string): string | undefined {
  if (textOf(cluster, 'certificate-authority') === '' && !hasData(cluster, 'certificate-authority')) return undefined;
  if (cluster['insecure-skip-tls-verify'] === true) return 'specifying a root certificates file with the insecure flag is not allowed';
  if (contentOf(cluster, 'certificate-authority', kubeconfig).includes(pem)) return undefined;
  return 'unable to load root certificates: unable to parse bytes as PEM block';
}

function pairFault(user: Fields, kubeconfig: string): string | undefined {
  if (textOf(user, 'client-certificate') === '' && !hasData(user, 'client-certificate')) return undefined;
  for (const [field, name] of [
    ['client-certificate', 'certificate'],
    ['client-key', 'key'],
  ] as const)
    if (!contentOf(user, field, kubeconfig).includes(pem)) return `tls: failed to find any PEM data in ${name} input`;
  return undefined;
}

function providerFault(user: Fields): string | undefined {
  const provider = user['auth-provider'];
  if (typeof provider !== 'object' || provider === null) return undefined;
  const name = textOf(provider as Fields, 'name');
  const [instead, where] = removed.get(name) ?? [];
  if (instead === undefined) return `no Auth Provider found for name ${goQuote(name)}`;
  const words = `The ${name} auth plugin has been removed.\nPlease use the ${instead} kubectl/client-go credential plugin instead.`;
  return `${words}\nSee ${where} for further details`;
}

function contentOf(fields: Fields, name: string, kubeconfig: string): string {
  if (hasData(fields, name)) return Buffer.from(textOf(fields, `${name}-data`), 'base64').toString('latin1');
  return readFileSync(resolve(dirname(kubeconfig), textOf(fields, name)), 'latin1');
}

export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

export function hasData(fields: Fields, name: string): boolean {
  return textOf(fields, `${name}-data`) !== '';
}
