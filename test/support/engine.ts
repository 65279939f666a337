/** A whole engine with a listener, for tests of the wire: `const served = await anEngine();` … `await served.close()`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterConfig, defaultConfig, documentedStartMs } from '../../engine/cluster/config.ts';
import { type Engine, startEngine } from '../../engine/host/engine.ts';
import { type Keys, loadKeys } from '../../engine/host/home.ts';

export interface ServedEngine {
  readonly engine: Engine;
  readonly keys: Keys;
  /** Ends it and removes its home. */
  close(): Promise<void>;
}

/** Paused, on a free port, with a home of its own. A cluster that stops is told to `onFailure`. */
export async function anEngine(config: Partial<ClusterConfig>, onFailure: (error: Error) => void): Promise<ServedEngine> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-wire-'));
  const keys = loadKeys(home);
  const whole = { ...defaultConfig, startMs: documentedStartMs, ...config };
  const engine = await startEngine({ config: whole, keys, speed: 'paused', ports: [0], onFailure });
  return {
    engine,
    keys,
    close: async () => {
      await engine.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
