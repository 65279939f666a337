/** What PodSecurity does where a namespace says nothing, and whom it lets pass. Mirrors pod-security-admission admission/api. */
import { aggregateText, duplicate, type FieldError, invalid, root } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../apimachinery/formats.ts';
import type { JsonObject } from '../../../base/json.ts';
import { Fields, InitializationFault, mustBeKind } from '../../configuration-reader.ts';
import { levelFault, type LevelVersion, type Mode, parseLevel, parseVersion, type Policy, versionFault } from './policy.ts';

export interface PodSecurityConfiguration {
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

const apiVersions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `pod-security.admission.config.k8s.io/${version}`);
const defaultFields = (['enforce', 'audit', 'warn'] as const).flatMap((mode) => [mode, `${mode}-version`]);

/** Without a document all namespaces are privileged. Throws ConfigurationFault. */
export function readPodSecurityConfiguration(document: JsonObject | undefined): PodSecurityConfiguration {
  if (document !== undefined) mustBeKind(document, apiVersions, 'PodSecurityConfiguration');
  const fields = new Fields(document, '', ['apiVersion', 'kind', 'defaults', 'exemptions']);
  const given = fields.fields('defaults', defaultFields);
  const wrong: string[] = [];
  const read = (mode: Mode): LevelVersion => {
    const [level, version] = [given.text(mode) || 'privileged', given.text(`${mode}-version`) || 'latest'];
    if (parseLevel(level) === undefined) wrong.push(`${mode}: ${levelFault}`);
    if (parseVersion(version) === undefined) wrong.push(`${mode}-version: ${versionFault}`);
    return { level: parseLevel(level) ?? 'restricted', version: parseVersion(version) ?? 'latest' };
  };
  const [enforce, audit, warn] = [read('enforce'), read('audit'), read('warn')];
  const faults: FieldError[] = [];
  const exempt = fields.fields('exemptions', ['usernames', 'namespaces', 'runtimeClasses']);
  const once = (name: string, faultIn: (text: string) => string): ReadonlySet<string> => {
    const seen = new Set<string>();
    exempt.texts(name).forEach((text, index) => {
      const path = root('exemptions').child(name).index(index);
      const why = faultIn(text);
      if (why !== '') faults.push(invalid(path, text, why));
      else if (seen.has(text)) faults.push(duplicate(path, text));
      else seen.add(text);
    });
    return seen;
  };
  const namespaces = once('namespaces', (text) => isDNS1123Label(text).join(', '));
  const runtimeClasses = once('runtimeClasses', (text) => isDNS1123Subdomain(text).join(', '));
  const usernames = once('usernames', (text) => (text === '' ? 'username must not be empty' : ''));
  if (wrong.length > 0)
    throw new InitializationFault(`PodSecurity configuration error: ${wrong.length === 1 ? wrong.join('') : `[${wrong.join(', ')}]`}`);
  if (faults.length > 0) throw new InitializationFault(`PodSecurity invalid: ${aggregateText(faults)}`);
  return { defaults: { enforce, audit, warn }, exemptions: { usernames, namespaces, runtimeClasses } };
}
