/** Every tool of a small image, by name. Each family is a file; what is none of them is not found. */
import type { SimpleCommand } from '../shell-commands.ts';
import { archiveTools } from './archives.ts';
import { columnTools } from './columns.ts';
import { digestTools } from './digests.ts';
import { grepTools } from './grep.ts';
import { machineTools } from './machine.ts';
import { moveTools } from './moves.ts';
import { networkTools } from './network.ts';
import { numberTools } from './numbers.ts';
import { pathTools } from './paths.ts';
import { echo, printf } from './printf.ts';
import { processTools } from './processes.ts';
import { sed } from './sed.ts';
import { testTools } from './test.ts';
import { textTools } from './text.ts';

export const tools: { readonly [name: string]: SimpleCommand } = {
  echo,
  printf,
  sed,
  ...archiveTools,
  ...columnTools,
  ...digestTools,
  ...grepTools,
  ...machineTools,
  ...moveTools,
  ...networkTools,
  ...numberTools,
  ...pathTools,
  ...processTools,
  ...testTools,
  ...textTools,
};
