/** Starts the real API server and etcd with the script that is handed over beside the project, and ends them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Peer {
  readonly kubeconfig: string;
  stop(): void;
}

const scripts = join(import.meta.dirname, '../../../shared/peers');

/** In the old release it waits for Secrets that a controller makes, and none runs on either side. */
export const withoutTokens = 'ServiceAccount';

export interface PeerOptions {
  readonly release?: string | undefined;
  /** Options of the API server, without their dashes. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether its controller manager runs too. */
  readonly controllers?: boolean;
}

/** Those that were given. */
export function startedWith(given: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** `bin`: the folder with kube-apiserver and etcd. Throws, saying what is absent. */
export function startPeer(bin: string, port: number, { release, options = {}, controllers = false }: PeerOptions = {}): Peer {
  const isOld = release === '1.13';
  const script = join(scripts, isOld ? 'old-apiserver.sh' : 'control-plane.sh');
  const programs = [join(bin, isOld ? 'old/kube-apiserver' : 'kube-apiserver'), join(bin, 'etcd')];
  const absent = [script, ...programs].filter((path) => !existsSync(path));
  if (absent.length > 0)
    throw new Error(`${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} absent: there is no real server to compare with`);
  const work = mkdtempSync(join(tmpdir(), 'wavetank-differential-'));
  symlinkSync(bin, join(work, 'bin'));
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const own = isOld
    ? {
        OLD_KCM: controllers ? '' : 'none',
        OLD_FLAGS: [...(controllers ? [] : [`--disable-admission-plugins=${withoutTokens}`]), ...flags].join(' '),
      }
    : { API_FLAGS: flags.join(' ') };
  const env = { ...process.env, PEERS: work, ...own };
  const said = execFileSync('bash', [script, 'up', String(port), ...(isOld || controllers ? [] : ['--no-controllers'])], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kubeconfig = /KUBECONFIG=(.*)/.exec(said)?.[1] ?? '';
  return {
    kubeconfig,
    stop: () => {
      execFileSync('bash', [script, 'down'], { env, stdio: 'ignore' });
      rmSync(work, { recursive: true, force: true });
    },
  };
}

export const defaultBin = join(homedir(), '.cache/wavetank-peers/bin');
