import { defineConfig, integerField, stringField, type FieldFault } from '@podwright/assembly-interface';
import { isAbsolute } from 'node:path';
import { consoleAddress } from './console-address.js';

export interface ConsoleConfig {
  /** Where its own listener is, on loopback; empty: the console is off, there and on the main port. */
  readonly address: string;
  /** The kubelet's folder; the console's token is in `console` below it. */
  readonly rootDir: string;
  /** Root directory below which `/proc` and `/sys` are read; tests set another. */
  readonly hostRoot: string;
  readonly nodeName: string;
  /** Most browsers and programs that watch at the same time. */
  readonly maxWatchers: number;
}

export const consoleConfig = defineConfig<ConsoleConfig>(
  {
    address: stringField(''),
    rootDir: stringField('/var/lib/kubelet'),
    hostRoot: stringField('/'),
    nodeName: stringField(''),
    maxWatchers: integerField(16, { min: 1, max: 1000 }),
  },
  ({ address, rootDir }) => [...addressFault(address), ...rootFault(rootDir)],
);

function addressFault(address: string): readonly FieldFault[] {
  if (address === '') return [];
  const parsed = consoleAddress(address);
  if (typeof parsed !== 'string') return [];
  return [{ field: 'address', value: address, problem: `${parsed} (flag --console-address)` }];
}

function rootFault(rootDir: string): readonly FieldFault[] {
  return isAbsolute(rootDir) ? [] : [{ field: 'rootDir', value: rootDir, problem: 'must be an absolute path' }];
}
