/**
 * Records what Go finds wrong with certificates that servers show (`servers.json`). Keys are made by openssl and thrown away:
 *   node build/with-node.mjs test/contract/certificates/record-servers.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Made {
  readonly pem: string;
  /** Its files begin so. */
  readonly file: string;
}

const folder = mkdtempSync(join(tmpdir(), 'servers-'));
const keyTypes = {
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  rsa: ['-newkey', 'rsa:2048'],
  ed25519: ['-newkey', 'ed25519'],
} as const;
let count = 0;

function made(
  subject: string,
  options: {
    readonly by?: Made;
    readonly names?: string;
    readonly isAuthority?: boolean;
    readonly usage?: string;
    readonly key?: keyof typeof keyTypes;
    readonly days?: number;
  },
): Made {
  const { by, names, isAuthority = false, usage, key = 'ec', days = 5_000 } = options;
  const file = `c${count++}`;
  const extensions = [
    `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
    ...(names === undefined ? [] : [`subjectAltName=${names}`]),
    ...(usage === undefined ? [] : [`extendedKeyUsage=${usage}`]),
  ];
  const signed = by === undefined ? [] : ['-CA', `${by.file}.crt`, '-CAkey', `${by.file}.key`];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-new',
      '-nodes',
      ...keyTypes[key],
      '-subj',
      subject,
      '-keyout',
      `${file}.key`,
      '-out',
      `${file}.crt`,
      ...signed,
      '-days',
      String(days),
      '-config',
      'empty',
      ...extensions.flatMap((one) => ['-addext', one]),
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  return { file, pem: readFileSync(join(folder, `${file}.crt`), 'utf8') };
}

writeFileSync(join(folder, 'empty'), '[req]\ndistinguished_name=dn\n[dn]\n');
const name = 'hook.default.svc';
const names = `DNS:${name}`;
const [ca, rsaCa, edCa] = (['ec', 'rsa', 'ed25519'] as const).map((key) => made('/CN=ca', { isAuthority: true, key })) as [Made, Made, Made];
const unnamed = made('/O=team', { isAuthority: true });
const nameless = made('/C=SE', { isAuthority: true });
const otherNameless = made('/C=SE', { isAuthority: true });
const otherUnnamed = made('/O=team', { isAuthority: true });
const oldCa = made('/CN=old', { isAuthority: true, days: 1 });
const middle = made('/CN=middle', { by: ca, isAuthority: true });
const oldMiddle = made('/CN=middle', { by: ca, isAuthority: true, days: 1 });
const weak = made('/CN=weak', { by: ca });
const weakRoot = made('/CN=weakroot', {});
const leaf = made('/CN=hook', { by: ca, names });
const self = made('/CN=hook', { names });
const below = made('/CN=hook', { by: middle, names });
const cases: readonly (readonly [what: string, chain: readonly Made[], authorities: readonly Made[], name?: string])[] = [
  ['right', [leaf], [ca]],
  ['right, with its authority', [leaf, ca], [ca]],
  ['right, of RSA', [made('/CN=hook', { by: rsaCa, names, key: 'rsa' })], [rsaCa]],
  ['right, of Ed25519', [made('/CN=hook', { by: edCa, names })], [edCa]],
  ['one of several authorities', [leaf], [unnamed, ca, oldCa]],
  ['another authority', [leaf], [unnamed]],
  ['no authority', [leaf], []],
  ['another authority of that name', [leaf], [made('/CN=ca', { isAuthority: true })]],
  ['another authority of that name, of RSA', [leaf], [rsaCa]],
  ['another authority of that name, of Ed25519', [leaf], [edCa]],
  ['several of that name', [leaf], [rsaCa, ca]],
  ['another authority without a common name', [made('/CN=hook', { by: unnamed, names })], [otherUnnamed]],
  ['another authority without any name', [made('/CN=hook', { by: nameless, names })], [otherNameless]],
  ['signed by itself, and trusted', [self], [self]],
  ['signed by itself', [self], [ca]],
  ['one between', [below, middle], [ca]],
  ['one between that is not shown', [below], [ca]],
  ['one between that is trusted itself', [below], [middle]],
  ['one between that has expired', [made('/CN=hook', { by: oldMiddle, names }), oldMiddle], [ca]],
  ['signed by what is no authority', [made('/CN=hook', { by: weak, names }), weak], [ca]],
  ['signed by what is no authority but trusted', [made('/CN=hook', { by: weakRoot, names })], [weakRoot]],
  ['of an authority that has expired', [made('/CN=hook', { by: oldCa, names })], [oldCa]],
  ['expired', [made('/CN=hook', { by: ca, names, days: 1 })], [ca]],
  ['expired, and of another authority', [made('/CN=hook', { by: ca, names, days: 1 })], [unnamed]],
  ['of another name', [made('/CN=hook', { by: ca, names: 'DNS:other.default.svc,DNS:b' })], [ca]],
  ['of another name and authority', [made('/CN=hook', { by: ca, names: 'DNS:other.default.svc' })], [unnamed]],
  ['of a wildcard', [made('/CN=hook', { by: ca, names: 'DNS:*.default.svc' })], [ca]],
  ['of addresses alone', [made('/CN=hook', { by: ca, names: 'IP:10.0.0.1' })], [ca]],
  ['with a common name alone', [made(`/CN=${name}`, { by: ca })], [ca]],
  ['for servers', [made('/CN=hook', { by: ca, names, usage: 'serverAuth' })], [ca]],
  ['for clients', [made('/CN=hook', { by: ca, names, usage: 'clientAuth' })], [ca]],
  ['for anything', [made('/CN=hook', { by: ca, names, usage: 'anyExtendedKeyUsage' })], [ca]],
  ['for clients, and of another authority', [made('/CN=hook', { by: ca, names, usage: 'clientAuth' })], [unnamed]],
];
const nowMs = Math.floor(Date.now() / 1000) * 1000 + 30 * 86_400_000;
const text = (of: readonly Made[]): string => of.map(({ pem }) => pem).join('');
const trials = cases.map(([what, chain, authorities]) => ({ what, chain: text(chain), authorities: text(authorities), name, nowMs }));
const said = JSON.parse(
  execFileSync('go', ['run', 'main.go'], {
    cwd: join(import.meta.dirname, 'judge'),
    input: JSON.stringify(trials),
    env: { ...process.env, GO111MODULE: 'off' },
  }).toString(),
) as readonly string[];
writeFileSync(
  join(import.meta.dirname, 'servers.json'),
  `${JSON.stringify(
    trials.map((trial, i) => ({ ...trial, fault: said[i] })),
    null,
    1,
  )}\n`,
);
rmSync(folder, { recursive: true });
