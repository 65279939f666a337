/** The images Wavetank knows by itself. */
import type { ImageDefinition } from '../runtime/image-definition.ts';
import { mysqlImage, postgresImage, redisImage } from './databases.ts';
import { agnhostImage, kittenImage, livenessImage, pauseImage } from './kubernetes.ts';
import { alpineImage, bashImage, busyboxImage, curlImage, debianImage, perlImage, testBusyboxImage, ubuntuImage } from './shells.ts';
import { polinuxStressImage, vishStressImage } from './stress.ts';
import { helloAppImage, hpaExampleImage, httpdImage, missingImage, nginxImage } from './web.ts';

export const builtinImages: readonly ImageDefinition[] = [
  agnhostImage,
  alpineImage,
  bashImage,
  busyboxImage,
  curlImage,
  debianImage,
  helloAppImage,
  hpaExampleImage,
  httpdImage,
  kittenImage,
  livenessImage,
  missingImage,
  mysqlImage,
  nginxImage,
  pauseImage,
  perlImage,
  polinuxStressImage,
  postgresImage,
  redisImage,
  testBusyboxImage,
  ubuntuImage,
  vishStressImage,
];
