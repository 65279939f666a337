/** Loaded before every bench: a cluster that is measured in this process has the compiler's settings that it has in the product. */
import { optimizeSooner } from '../../engine/host/optimizer.ts';

optimizeSooner();
