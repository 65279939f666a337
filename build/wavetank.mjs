#!/usr/bin/env node
/** `npx wavetank …`: runs the bundled engine (or its sources in a checkout without a build) with the Node.js release it needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies, root, runNode } from './node-release.mjs';

ensureDependencies();
const bundle = join(root, 'dist', 'wavetank.js');
runNode([existsSync(bundle) ? bundle : join(root, 'engine', 'host', 'entry.ts'), ...process.argv.slice(2)], { cwd: process.cwd() });
