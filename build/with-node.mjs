/** Runs a script with the Node.js release the engine needs: `node build/with-node.mjs SCRIPT [ARG…]`. */
import { ensureDependencies, runNode } from './node-release.mjs';

ensureDependencies();
runNode(process.argv.slice(2));
