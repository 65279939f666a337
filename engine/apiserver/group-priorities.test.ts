import { describe, expect, it } from 'vitest';
import { release as old } from '../releases/1.13/release.ts';
import { compareVersions, versionPriority } from './group-priorities.ts';

describe('priorities of versions', () => {
  const cases = [
    { name: 'apps/v1', present: 15, before: 15 },
    { name: 'apps/v1beta1', present: 9, before: 1 },
    { name: '/v1', present: 1, before: 1 },
    { name: 'admissionregistration.k8s.io/v1beta1', present: 12, before: 12 },
    { name: 'resource.k8s.io/v1beta2', present: 15, before: 15 },
    { name: 'events.k8s.io/v1beta1', present: 9, before: 5 },
    { name: 'settings.k8s.io/v1alpha1', present: 1, before: 9 },
  ];
  for (const { name, present, before } of cases)
    it(`of ${name} are those of a real server`, () => {
      const [group = '', version = ''] = name.split('/');
      expect([versionPriority(group, version), versionPriority(group, version, old.versionPriorities)]).toEqual([present, before]);
    });

  it('put versions without one in the order of Kubernetes', () => {
    expect(['foo', 'v1alpha1', 'v1beta2', 'v2', 'v1', 'v1beta10'].sort((a, b) => compareVersions('x.io', a, b))).toEqual([
      'v2',
      'v1',
      'v1beta10',
      'v1beta2',
      'v1alpha1',
      'foo',
    ]);
  });
});
