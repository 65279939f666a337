/** What two clusters say otherwise though nothing is different: names that are drawn, instants, addresses of the server. */

interface Mask {
  readonly pattern: RegExp;
  readonly shown: string;
}

const masks: readonly Mask[] = [
  { pattern: /[\w-]{10,}\.[\w-]{30,}\.[\w-]{40,}/g, shown: 'TOKEN' },
  // A key, or what was signed with one.
  { pattern: /[A-Za-z0-9+/]{200,}={0,2}/g, shown: 'BASE64' },
  { pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, shown: 'UID' },
  { pattern: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?Z|[+-]\d\d:?\d\d)?( \+0000 UTC)?/g, shown: 'TIME' },
  { pattern: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, shown: 'TIME' },
  { pattern: /\w{3} \w{3} +\d+ \d\d:\d\d:\d\d( UTC)? \d{4}/g, shown: 'TIME' },
  { pattern: /\b[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /g, shown: 'LOG ' },
  { pattern: /(resourceVersion|Resource Version)(\\*")?(: *)(\\*")?\d+(\\*")?/g, shown: '$1$2$3RV' },
  { pattern: /(resource version to be \d+, was) \d+/g, shown: '$1 RV' },
  { pattern: /(\/tmp\/(?:LIVE|MERGED)-|-edit-)\d+/g, shown: '$1N' },
  { pattern: /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----(\\n)?/g, shown: 'CERTIFICATE' },
  { pattern: /\b10\.(9[6-9]|1[01]\d)\.\d+\.\d+\b(?<!10\.96\.0\.1)/g, shown: 'ADDRESS' },
  // Where a value lies in memory: the client of 1.13 shows some pointers.
  { pattern: /\b0x[0-9a-f]{6,}\b\??|\b8246\d{8}\b/g, shown: 'POINTER' },
  { pattern: /\b3[0-2]\d{3}\b/g, shown: 'PORT' },
  // The end of a name that the server draws.
  { pattern: /-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, shown: '-DRAWN' },
  // Ages, and how long something took.
  { pattern: /(?<![\w.:/-])(\d+d)?(\d+h)?(\d+m)?(\d+(\.\d+)?s)?(\d+(\.\d+)?ms)?(?<=\d(ms|[dhms]))(?![\w.])/g, shown: 'AGE' },
  { pattern: /\(x\d+ over AGE\)|\(in \d+ms\)/g, shown: '' },
];

/** What only one of the two can say, and stands apart in the documents: groups of our own. */
const ours = /wavetank|\/apis\/metrics\.k8s\.io|kwok\.x-k8s\.io|snapshot\.storage\.k8s\.io/;

/** `server`: as the kubeconfig names it; `home`: what paths begin with. */
export function masked(text: string, { server, home }: { readonly server: string; readonly home: string }): string {
  const host = server.replace('https://', '');
  let shown = text.replaceAll(host, 'SERVER').replaceAll(home, 'HOME');
  for (const { pattern, shown: word } of masks) shown = shown.replace(pattern, word);
  return shown
    .split('\n')
    .filter((line) => !ours.test(line))
    .map((line) => line.replace(/(?<=\S) {2,}/g, '  ').trimEnd())
    .join('\n')
    .trim();
}
