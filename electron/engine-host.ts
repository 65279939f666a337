/** Entry of the engine's process: the same cluster that `wavetank up` starts, told to start and stop by the main process. */
import { parseUp } from '../engine/host/commands/program.ts';
import { startUp } from '../engine/host/commands/up.ts';
import { optimizeSooner } from '../engine/host/optimizer.ts';
import { serveEngine } from './engine-service.ts';

optimizeSooner();
const port = process.parentPort;
// Ctrl-C in a terminal reaches this process too; the main process says when to stop.
process.on('SIGINT', () => undefined);
serveEngine({
  send: (reply) => port.postMessage(reply),
  onRequest: (receive) => port.on('message', (event) => receive(event.data)),
  start: async (args) => {
    const started = await startUp(parseUp(args), { log: () => undefined });
    const { record } = started;
    return { cluster: { name: record.name, page: record.ui, kubeconfig: record.kubeconfig }, stopped: started.stopped, stop: () => started.stop() };
  },
  exit: (code) => process.exit(code),
});
