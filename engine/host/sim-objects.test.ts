/** Objects that the host creates for somebody meet what all objects meet: webhooks that have to be asked first. */
import { expect, test } from 'vitest';
import { defineAdmissionPlugin } from '../apiserver/admission/plugin.ts';
import { newForbidden } from '../apimachinery/errors.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { aCluster } from '../../test/support/cluster.ts';
import { loadScenario } from './commands/run.ts';
import { createSimObject } from './sim-objects.ts';

const name = 'node-power-loss';

/** Asks a webhook about every scenario. */
const policy = defineAdmissionPlugin({
  name: 'Policy',
  verbs: ['CREATE'],
  resources: ['scenarios.sim.wavetank.dev'],
  validate({ ask, name }) {
    const answer = ask({ to: 'webhook/policy', body: { name }, timeoutMs: 1000 });
    if (answer.outcome !== 'answered' || answer.body !== 'yes')
      throw newForbidden({ group: 'sim.wavetank.dev', resource: 'scenarios' }, name, 'the policy says no');
  },
});

test.each([
  ['yes', undefined],
  ['no', 'scenarios.sim.wavetank.dev "node-power-loss" is forbidden: the policy says no'],
])('a webhook is asked about a scenario and says %s', async (body, refusal) => {
  const asked: string[] = [];
  const ask = (question: { readonly to: string }): Promise<{ outcome: 'answered'; body: string }> => {
    asked.push(question.to);
    return Promise.resolve({ outcome: 'answered', body });
  };
  const { door, cluster } = await aCluster({ nodes: 0 }, { admissionPlugins: [policy], ask });
  expect(await createSimObject((request) => door.serve(request), 'scenarios', loadScenario(name), { identity: adminIdentity })).toBe(refusal);
  expect(asked).toEqual(['webhook/policy']);
  expect(cluster.stored('sim.wavetank.dev/scenarios')).toHaveLength(refusal === undefined ? 1 : 0);
});
