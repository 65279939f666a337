import { expect, test } from 'vitest';
import type { Scenario } from '../api/sim/v1alpha1/scenario.ts';
import { refuseExtenders, scenarioConfig } from './scenario-run.ts';

const scenario = { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Scenario', metadata: { name: 's' }, spec: {} } as unknown as Scenario;
const configuration = (extenders: string): string =>
  `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nextenders: ${extenders}\n`;

test('a run says plainly that it does not ask extenders', () => {
  const options = { 'scheduler-config': configuration('[{urlPrefix: "http://policy.example", filterVerb: filter}]') };
  expect(() => refuseExtenders(scenarioConfig(scenario, 1, options))).toThrow(
    "the scheduler's extender http://policy.example is not asked in a run without a session",
  );
  expect(() => refuseExtenders(scenarioConfig(scenario, 1, { 'scheduler-config': configuration('[]') }))).not.toThrow();
});
