import { describe, expect, it } from 'vitest';
import { kubectlLine } from './kubectl-line.ts';

const map = (metadata: string, rest = ''): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {${metadata}}\n${rest}`;

const plain = { force: false, servesApply: true };

describe('kubectlLine', () => {
  it('applies what has names, as one text', () => {
    const { line, shown } = kubectlLine(`${map('name: a')}---\n${map('name: b')}`, { force: true, servesApply: true });
    expect(line).toBe(
      `kubectl apply --server-side --field-manager=wavetank-page --force-conflicts -f - <<'EOF'\n${map('name: a')}---\n${map('name: b')}EOF`,
    );
    expect(shown).toBe(line);
  });

  it('creates what the API server is to name, which apply refuses, and both where both stand', () => {
    expect(kubectlLine(map('generateName: a-'), plain).line).toBe(
      `kubectl create --field-manager=wavetank-page -f - <<'EOF'\n${map('generateName: a-')}EOF`,
    );
    const both = kubectlLine(`${map('name: a')}---\n${map('generateName: b-')}---\n${map('name: c')}`, plain).line;
    expect(both).toBe(
      [
        `kubectl apply --server-side --field-manager=wavetank-page -f - <<'EOF'\n${map('name: a')}---\n${map('name: c')}EOF`,
        `kubectl create --field-manager=wavetank-page -f - <<'EOF'\n${map('generateName: b-')}EOF`,
      ].join('\n'),
    );
  });

  it('applies on the client’s side where the release knows nothing else', () => {
    expect(kubectlLine(map('name: a'), { force: true, servesApply: false }).line).toBe(`kubectl apply -f - <<'EOF'\n${map('name: a')}EOF`);
  });

  it('shows no values of Secrets, and is not ended by what is written', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: hidden}\n';
    expect(kubectlLine(secret, plain).shown).not.toContain('hidden');
    const inJson = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'hidden' } }, null, 2);
    expect(kubectlLine(inJson, plain).shown).not.toContain('hidden');
    expect(kubectlLine(secret, plain).line).toContain('hidden');
    expect(kubectlLine(map('name: a', 'data:\n  a: |\nEOF\n'), plain).line).toMatch(/<<'EOF_'[^]*\nEOF\nEOF_$/);
  });
});
