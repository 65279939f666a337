import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { familiesText } from './routes.ts';
import { podResourceMetrics } from './pod-resource-metrics.ts';

it('tells of pods what the real scheduler tells of them', () => {
  const { pods, text } = JSON.parse(readFileSync(new URL('./recorded-pod-resources.json', import.meta.url), 'utf8')) as { pods: Pod[]; text: string };
  expect(familiesText(podResourceMetrics(pods))).toBe(text);
  expect(familiesText(podResourceMetrics([]))).toBe('');
});
