import { describe } from 'vitest';
import { httpsInformerBench } from '../../../test/support/transports.ts';
import { informerContract } from '../../client/testing/informer.contract.ts';

describe('informers over HTTPS', () => informerContract(httpsInformerBench));
