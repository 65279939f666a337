/** The policy of a scheduler of release 1.13, where its daemon looks for it: a file, a ConfigMap or a provider. Mirrors its cmd/kube-scheduler/app/options. */
import { existsSync } from 'node:fs';
import type { ConfigMap } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { FeatureGates } from '../../releases/feature-gates.ts';
import { ConfigurationError } from '../../scheduler/configuration/fields.ts';
import { gatesOfPolicy, type Policy, policyOfProvider, readPolicy } from '../../scheduler/policy/policy.ts';
import type { Workplace } from './daemon.ts';
import { badUsage } from './flag-set.ts';
import { readFileOf } from './daemon-certificates.ts';

/** Key of the ConfigMap. */
const policyKey = 'policy.cfg';

type Get = (namespace: string, name: string) => Promise<Pick<ConfigMap, 'data'>>;

/** Rejects with a CommandError that says what is wrong as upstream does. */
export async function policyOf({ flags, release, settings }: Pick<Workplace, 'flags' | 'release' | 'settings'>, get: Get): Promise<Policy> {
  const features = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const gates = gatesOfPolicy((gate) => features.enabled(gate));
  const weight = flags.number('hard-pod-affinity-symmetric-weight');
  const [file, name] = [flags.text('policy-config-file'), flags.text('policy-configmap')];
  const isLegacy = flags.isOn('use-legacy-policy-config');
  if (isLegacy && file === '') throw badUsage('policyConfigFile: Required value: required when --use-legacy-policy-config is true');
  try {
    if (isLegacy || (file !== '' && name === '')) {
      if (!existsSync(file)) throw badUsage(`missing policy config file ${file}`);
      return readPolicy(readFileOf(file), gates, weight);
    }
    if (name === '') return policyOfProvider(flags.text('algorithm-provider'), gates, weight);
    return readPolicy(await textIn(get, flags.text('policy-configmap-namespace'), name), gates, weight);
  } catch (error) {
    throw error instanceof ConfigurationError ? badUsage(error.message) : error;
  }
}

async function textIn(get: Get, namespace: string, name: string): Promise<string> {
  try {
    const { data } = await get(namespace, name);
    const text = data?.[policyKey];
    if (text !== undefined) return text;
  } catch (error) {
    if (error instanceof StatusError) throw badUsage(`couldn't get policy config map ${namespace}/${name}: ${error.message}`);
    throw error;
  }
  throw badUsage(`missing policy config map value at key ${JSON.stringify(policyKey)}`);
}
