import { describe } from 'vitest';
import { loopbackBench } from '../../test/support/transports.ts';
import { clientContract } from './testing/client.contract.ts';

describe('the client in process', () => clientContract(loopbackBench));
