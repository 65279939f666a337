/**
 * Text formats of names, labels, keys and ports with the sentences upstream answers when a text breaks them. Mirrors
 * k8s.io/apimachinery pkg/util/validation and pkg/api/validate/content. Every check returns the faults, empty when there is none.
 */
import type { Int64 } from '../base/int64.ts';

const dns1123LabelFmt = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123LabelFmtWithUnderscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const dns1123SubdomainFmt = `${dns1123LabelFmt}(\\.${dns1123LabelFmt})*`;
const dns1123SubdomainFmtWithUnderscore = `${dns1123LabelFmtWithUnderscore}(\\.${dns1123LabelFmtWithUnderscore})*`;
const dns1035LabelFmt = '[a-z]([-a-z0-9]*[a-z0-9])?';
const wildcardFmt = `\\*\\.${dns1123SubdomainFmt}`;
const labelKeyFmt = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValueFmt = `(${labelKeyFmt})?`;
const cIdentifierFmt = '[A-Za-z_][A-Za-z0-9_]*';
const percentFmt = '[0-9]+%';
const httpHeaderNameFmt = '[-A-Za-z0-9]+';
const envVarNameFmt = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const configMapKeyFmt = '[-._a-zA-Z0-9]+';
const httpPathFmt = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

const dns1123LabelRegexp = new RegExp(`^${dns1123LabelFmt}$`);
const dns1123SubdomainRegexp = new RegExp(`^${dns1123SubdomainFmt}$`);
const dns1123SubdomainRegexpWithUnderscore = new RegExp(`^${dns1123SubdomainFmtWithUnderscore}$`);
const dns1123SubdomainCaselessRegexp = new RegExp(`^${dns1123SubdomainFmt}$`, 'i');
const dns1035LabelRegexp = new RegExp(`^${dns1035LabelFmt}$`);
const wildcardRegexp = new RegExp(`^${wildcardFmt}$`);
const labelKeyRegexp = new RegExp(`^${labelKeyFmt}$`);
const labelValueRegexp = new RegExp(`^${labelValueFmt}$`);
const cIdentifierRegexp = new RegExp(`^${cIdentifierFmt}$`);
const percentRegexp = new RegExp(`^${percentFmt}$`);
const httpHeaderNameRegexp = new RegExp(`^${httpHeaderNameFmt}$`);
const envVarNameRegexp = new RegExp(`^${envVarNameFmt}$`);
const configMapKeyRegexp = new RegExp(`^${configMapKeyFmt}$`);
const httpPathRegexp = new RegExp(`^${httpPathFmt}$`);

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const labelKeyText = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const none: readonly string[] = [];

function maxLenError(length: number): string {
  return `must be no more than ${length} characters`;
}

/** Of labels and their keys. */
function maxBytesError(length: number): string {
  return `must be no more than ${length} bytes`;
}

function emptyError(): string {
  return 'must be non-empty';
}

export function inclusiveRangeError(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** Upstream's sentence about a broken pattern. */
export function regexError(message: string, format: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${format}')`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${format}')`;
}

function check(value: string, max: number, regexp: RegExp, fault: () => string, tooLong = maxLenError): readonly string[] {
  const matches = regexp.test(value);
  if (matches && value.length <= max) return none;
  const faults: string[] = [];
  if (value.length > max) faults.push(tooLong(max));
  if (!matches) faults.push(fault());
  return faults;
}

export function isDNS1123Label(value: string): readonly string[] {
  return labelFaults(value, maxLenError);
}

function labelFaults(value: string, tooLong: (length: number) => string): readonly string[] {
  const fault = (): string => {
    if (dns1123SubdomainRegexp.test(value)) return 'must not contain dots';
    const text =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
    return regexError(text, dns1123LabelFmt, 'my-name', '123-abc');
  };
  return check(value, 63, dns1123LabelRegexp, fault, tooLong);
}

/** The same, counted in bytes, as declarative validation words it. */
export function isShortName(value: string): readonly string[] {
  return labelFaults(value, maxBytesError);
}

export function isDNS1123Subdomain(value: string): readonly string[] {
  return subdomainFaults(value, maxLenError);
}

/** The same, counted in bytes, as declarative validation words it. */
export function isLongName(value: string): readonly string[] {
  return subdomainFaults(value, maxBytesError);
}

function subdomainFaults(value: string, tooLong: (length: number) => string): readonly string[] {
  return check(value, 253, dns1123SubdomainRegexp, () => regexError(subdomainText, dns1123SubdomainFmt, 'example.com'), tooLong);
}

export function isDNS1123SubdomainCaseless(value: string): readonly string[] {
  const text = "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return check(value, 253, dns1123SubdomainCaselessRegexp, () => regexError(text, dns1123SubdomainFmt, 'Example.com'), maxBytesError);
}

export function isDNS1123SubdomainWithUnderscore(value: string): readonly string[] {
  const text =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return check(value, 253, dns1123SubdomainRegexpWithUnderscore, () => regexError(text, dns1123SubdomainFmtWithUnderscore, 'example.com'));
}

export function isWildcardDNS1123Subdomain(value: string): readonly string[] {
  const text =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return check(value, 253, wildcardRegexp, () => regexError(text, wildcardFmt, '*.example.com'));
}

export function isDNS1035Label(value: string): readonly string[] {
  const text =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return check(value, 63, dns1035LabelRegexp, () => regexError(text, dns1035LabelFmt, 'my-name', 'abc-123'));
}

function labelKeyFault(): string {
  return regexError(labelKeyText, labelKeyFmt, 'MyName', 'my.name', '123-abc');
}

/** A label key: a name with an optional DNS subdomain and `/` before it. */
export function isQualifiedName(value: string): readonly string[] {
  const slash = value.indexOf('/');
  if (slash >= 0 && value.indexOf('/', slash + 1) >= 0) {
    return [`a valid label key ${labelKeyFault()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = slash < 0 ? value : value.slice(slash + 1);
  const prefixFaults = slash < 0 ? none : slash === 0 ? [emptyError()] : subdomainFaults(value.slice(0, slash), maxBytesError);
  const matches = labelKeyRegexp.test(name);
  if (matches && name.length <= 63 && prefixFaults.length === 0) return none;
  const faults = prefixFaults.map((fault) => `prefix part ${fault}`);
  if (name === '') faults.push(`name part ${emptyError()}`);
  else if (name.length > 63) faults.push(`name part ${maxBytesError(63)}`);
  if (!matches) faults.push(`name part ${labelKeyFault()}`);
  return faults;
}

export function isValidLabelValue(value: string): readonly string[] {
  const text =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return check(value, 63, labelValueRegexp, () => regexError(text, labelValueFmt, 'MyValue', 'my_value', '12345'), maxBytesError);
}

export function isCIdentifier(value: string): readonly string[] {
  const text = "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return cIdentifierRegexp.test(value) ? none : [regexError(text, cIdentifierFmt, 'my_name', 'MY_NAME', 'MyName')];
}

export function isInRange(value: Int64, low: number, high: number): readonly string[] {
  return value >= low && value <= high ? none : [inclusiveRangeError(low, high)];
}

export function isValidPortNum(port: number): readonly string[] {
  return isInRange(port, 1, 65535);
}

export function isValidUserID(uid: Int64): readonly string[] {
  return isInRange(uid, 0, 2147483647);
}

export function isValidGroupID(gid: Int64): readonly string[] {
  return isInRange(gid, 0, 2147483647);
}

export function isValidPortName(port: string): readonly string[] {
  const faults: string[] = [];
  if (port.length > 15) faults.push(maxLenError(15));
  if (!/^[-a-z0-9]+$/.test(port)) faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(port)) faults.push('must contain at least one letter (a-z)');
  if (port.includes('--')) faults.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}

export function isValidPercent(percent: string): readonly string[] {
  if (percentRegexp.test(percent)) return none;
  return [regexError("a valid percent string must be a numeric string followed by an ending '%'", percentFmt, '1%', '93%')];
}

export function isHTTPHeaderName(value: string): readonly string[] {
  if (httpHeaderNameRegexp.test(value)) return none;
  return [regexError("a valid HTTP header must consist of alphanumeric characters or '-'", httpHeaderNameFmt, 'X-Header-Name')];
}

function parentDirectoryFaults(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : none;
}

export function isEnvVarName(value: string): readonly string[] {
  const text = "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  const faults = envVarNameRegexp.test(value) ? none : [regexError(text, envVarNameFmt, 'my.env-name', 'MY_ENV.NAME', 'MyEnvName1')];
  return [...faults, ...parentDirectoryFaults(value)];
}

export function isRelaxedEnvVarName(value: string): readonly string[] {
  if (value === '') return [`environment variable name ${emptyError()}`];
  if (/^[\x20-\x3c\x3e-\x7e]*$/.test(value)) return none;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function isConfigMapKey(value: string): readonly string[] {
  const text = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  const faults = check(value, 253, configMapKeyRegexp, () => regexError(text, configMapKeyFmt, 'key.name', 'KEY_NAME', 'key-name'));
  return [...faults, ...parentDirectoryFaults(value)];
}

/** The characters a path of an URL may have. */
export function isHTTPPath(value: string): readonly string[] {
  return httpPathRegexp.test(value) ? none : [regexError('Invalid path', httpPathFmt)];
}

export function isPathSegmentPrefix(name: string): readonly string[] {
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

export function isPathSegmentName(name: string): readonly string[] {
  return name === '.' || name === '..' ? [`may not be '${name}'`] : isPathSegmentPrefix(name);
}
