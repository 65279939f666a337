/**
 * Plays one stage in a real control plane and writes what it did:
 *   node build/with-node.mjs test/failures/record.ts --kubeconfig FILE --stage NAME --release 1.36|1.13 --out FILE
 */
import { writeFileSync } from 'node:fs';
import { makePeerWorld } from './peer-world.ts';
import { playStage } from './played.ts';
import { stages } from './played-cases.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: { kubeconfig: { type: 'string' }, stage: { type: 'string' }, release: { type: 'string', default: '1.36' }, out: { type: 'string' } },
});
const stage = stages.find(({ name }) => name === values.stage);
if (stage === undefined || values.kubeconfig === undefined || values.out === undefined) throw new Error('--kubeconfig, --stage and --out are needed');
const timelines = await playStage(makePeerWorld(values.kubeconfig, values.release !== '1.13'), stage);
writeFileSync(values.out, `${JSON.stringify({ release: values.release, stage: stage.name, timelines })}\n`);
process.exit();
