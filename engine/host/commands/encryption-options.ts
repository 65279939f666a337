/** The options that seal what leaves the process, under upstream's names: files of this machine, and so no part of a session. */
import { readInGo } from '../go-files.ts';
import { ConfigurationFault } from '../../apiserver/configuration-reader.ts';
import { CommandError } from '../command-error.ts';
import { ChangingSeals } from '../encryption/changing-seals.ts';
import { readEncryption } from '../encryption/configuration.ts';
import { createSeals } from '../encryption/seals.ts';
import type { AuditFlag } from './audit-options.ts';
import { type Given, text } from './given.ts';

export const encryptionFlags: readonly AuditFlag[] = [
  {
    name: 'encryption-provider-config',
    value: 'file',
    default: '',
    help: 'An EncryptionConfiguration: resources that the session holds encrypted, and by which keys (aescbc, aesgcm, secretbox, identity)',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    value: 'true|false',
    default: 'false',
    help: 'Look at that file each minute, and go by what it says then',
  },
];

const reloadMs = 60_000;

/** Undefined where nothing is encrypted. Throws CommandError, in upstream's words. */
export function readSeals(given: Given, say: (line: string) => void = () => undefined): ChangingSeals | undefined {
  const file = text(given, 'encryption-provider-config') ?? '';
  const reloads = text(given, 'encryption-provider-config-automatic-reload') ?? 'false';
  if (reloads !== 'true' && reloads !== 'false')
    throw new CommandError(`invalid value ${JSON.stringify(reloads)} for --encryption-provider-config-automatic-reload: expected true or false`);
  if (file === '') {
    if (reloads === 'true') throw new CommandError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
    return undefined;
  }
  try {
    const seals = new ChangingSeals({ read: () => readFile(file), make: (content) => createSeals(readEncryption(content, file)), say });
    if (reloads === 'true') setInterval(() => seals.reload(), reloadMs).unref();
    return seals;
  } catch (error) {
    if (error instanceof ConfigurationFault) throw new CommandError(error.message);
    throw error;
  }
}

function readFile(file: string): string {
  try {
    return readInGo(file);
  } catch (error) {
    const why = (error as Error).message;
    throw new ConfigurationFault(
      `error while parsing file: error while loading file: error reading encryption provider configuration file ${JSON.stringify(file)}: ${why}`,
    );
  }
}
