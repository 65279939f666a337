/** A process with a generated history and its page; its parent asks it by messages: `link`, `written`, and at which pace it is to go on. */
import { defaultConfig, documentedStartMs } from '../../../engine/cluster/config.ts';
import { Branch } from '../../../engine/host/branch.ts';
import { Endpoint } from '../../../engine/host/endpoint.ts';
import { loadKeys } from '../../../engine/host/home.ts';
import { optimizeSooner } from '../../../engine/host/optimizer.ts';
import { startPage } from '../../../engine/host/page.ts';
import { WarmUp } from '../../../engine/host/warm-up.ts';
import type { Pace } from './engines.ts';
import { GeneratedHistory } from '../generated-history.ts';

const [pods = 150_000, marks = 1_000_000] = process.argv.slice(2).map(Number);
/** So many are written each ten milliseconds while it is driven. */
const writesAtOnce = 20;
const pauseMs = 10;
const stepMs = 2;
optimizeSooner();
const keys = loadKeys();
const config = { ...defaultConfig, seed: 1, nodes: 1, startMs: documentedStartMs, options: { controllers: '-*', scheduler: 'false' } };
const branch = await Branch.start({ config, keys, speed: 1, onFailure: (error) => process.stderr.write(`${error.message}\n`) });
const history = new GeneratedHistory(branch.cluster, { pods, stepMs, hasOwners: true });
history.fill(marks);
await branch.cluster.loop.run(history.nowMs);
const endpoint = new Endpoint(keys, 'main', branch);
await endpoint.listen([0]);
const page = await startPage(endpoint);
branch.run();
// As the product does after it has said that it is ready.
const warmUp = new WarmUp({ engine: { endpoint, branch }, onDefect: (error) => process.stderr.write(`${error.message}\n`) });
let timer: NodeJS.Timeout | undefined;
let written = 0;

function drive(pace: Pace): void {
  clearInterval(timer);
  branch.pacer.setSpeed(pace === 'still' ? 'paused' : 1);
  if (pace !== 'max') return;
  timer = setInterval(() => {
    branch.pacer.catchUp();
    branch.cluster.loop.enter(() => history.write(writesAtOnce));
    written += writesAtOnce;
  }, pauseMs);
}

process.on('message', (what) => {
  if (what === 'max' || what === 'real' || what === 'still') drive(what);
  process.send?.({ link: page.url, written });
});
process.on('disconnect', () => void warmUp.close().then(() => process.exit(0)));
