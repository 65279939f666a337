import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOf } from './script-options.ts';

const root = join(import.meta.dirname, '..');

function run(script: string, ...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, encoding: 'utf8' });
}

describe('scripts of npm run', () => {
  it('--help prints what stands at the head of the file', () => {
    expect(headOf('/** One.\n *   --two  and three\n */\nimport')).toBe('One.\n  --two  and three');
    expect(headOf('import')).toBe('');
    const { status, stdout, stderr } = run('build/mutations/main.ts', '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('--only NAME');
  });

  it('an option that there is not ends with 2 and one line', () => {
    const { status, stderr } = run('build/mutations/main.ts', '--seed', '3');
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining("Unknown option '--seed'")]);
  });
});
