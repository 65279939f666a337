/** Scenario files: YAML text to a Scenario, or one line that says what is wrong with it. The host reads the files and names them. */
import type { Scenario } from '../api/sim/v1alpha1/scenario.ts';
import { isObject, type JsonValue } from '../base/json.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import { unmarshalYaml } from '../apimachinery/serializer/yaml.ts';
import { scenarioMistakes } from '../component-helpers/scenario.ts';

class ScenarioFileError extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'ScenarioFileError';
  }
}

const apiVersion = 'sim.wavetank.dev/v1alpha1';

/** Steps may give `apply` as text of several YAML documents. */
export function parseScenario(text: string): Scenario {
  const value = parse(text, '');
  if (!isObject(value)) throw new ScenarioFileError('is not a YAML map');
  if (value['kind'] !== 'Scenario' || value['apiVersion'] !== apiVersion)
    throw new ScenarioFileError(`must have apiVersion: ${apiVersion} and kind: Scenario`);
  const name = isObject(value['metadata']) ? value['metadata']['name'] : undefined;
  if (typeof name !== 'string' || name === '') throw new ScenarioFileError('metadata.name is required');
  const spec = isObject(value['spec']) ? { ...value['spec'], steps: readSteps(value['spec']['steps']) } : value['spec'];
  const [mistake] = scenarioMistakes(spec);
  if (mistake !== undefined) throw new ScenarioFileError(`spec${mistake.path === '' ? '' : `.${mistake.path}`} ${mistake.text}`);
  return { ...value, spec } as unknown as Scenario;
}

function readSteps(steps: JsonValue | undefined): JsonValue {
  if (!Array.isArray(steps)) return steps ?? null;
  return (steps as readonly JsonValue[]).map((step, index) => {
    if (!isObject(step) || typeof step['apply'] !== 'string') return step;
    const documents = step['apply'].split(/^---[ \t]*$/m).filter((document) => document.trim() !== '');
    return { ...step, apply: documents.map((document) => parse(document, `spec.steps[${index}].apply: `)) };
  });
}

function parse(text: string, where: string): JsonValue {
  try {
    const { value, duplicates } = unmarshalYaml(text);
    if (duplicates[0] !== undefined) throw new ScenarioFileError(`${where}${duplicates[0]}`);
    return value;
  } catch (error) {
    if (error instanceof DecodeError) throw new ScenarioFileError(`${where}${error.message.split('\n')[0] ?? ''}`);
    throw error;
  }
}
