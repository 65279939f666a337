import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { optimizerFlags } from './optimizer.ts';

test('V8 releases that were tried are told to optimize sooner, others are left alone', () => {
  expect(optimizerFlags('13.6.233.17-node.52')).toBe('--invocation-count-for-turbofan=300');
  expect(optimizerFlags('14.6.202.34-node.34')).toBe('--invocation-count-for-turbofan=300');
  expect(optimizerFlags('11.3.244.8-node.38')).toBeUndefined();
  expect(optimizerFlags('')).toBeUndefined();
});

test('the V8 of this process knows what it is told', async () => {
  const flags = optimizerFlags(process.versions.v8);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', `require('v8').setFlagsFromString(${JSON.stringify(flags ?? '')})`]);
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});
