/** Through whom the environment leads requests. Mirrors golang.org/x/net/http/httpproxy, with ranges of addresses in NO_PROXY as apimachinery pkg/util/net has them. */
import { BlockList, isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a URL; undefined where it is reached itself. This machine always is. */
export function proxyFromEnvironment(url: URL, env: Environment): string | undefined {
  const isHttps = url.protocol === 'https:';
  const given = (name: string): string => env[name] || env[name.toLowerCase()] || '';
  const proxy = given(isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? (isHttps ? '443' : '80') : url.port;
  if (host === 'localhost' || isLoopback(host)) return undefined;
  const exceptions = given('NO_PROXY')
    .split(',')
    .map((exception) => exception.trim().toLowerCase());
  if (exceptions.some((exception) => exception !== '' && excepts(exception, host, port))) return undefined;
  return /^[a-z0-9+.-]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return isIP(host) === 4 ? host.startsWith('127.') : isIP(host) === 6 && host === '::1';
}

function excepts(exception: string, host: string, port: string): boolean {
  if (exception === '*') return true;
  if (exception.includes('/')) return isInRange(exception, host);
  const { name, port: wanted } = parted(exception);
  if (wanted !== undefined && wanted !== port) return false;
  if (isIP(name) !== 0) return name === host;
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  if (suffix.startsWith('.')) return host.endsWith(suffix);
  return host === suffix || host.endsWith(`.${suffix}`);
}

/** `name:port`, `[::1]:port`, or either without the port. */
function parted(exception: string): { readonly name: string; readonly port: string | undefined } {
  if (isIP(exception) !== 0) return { name: exception, port: undefined };
  const [, name = exception, port] = /^(.*):(\d+)$/.exec(exception) ?? [];
  return { name: name.replace(/^\[|\]$/g, ''), port };
}

function isInRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
