import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface AttackOptions {
  /** The kubelet to attack; undefined: the one built from the sources. */
  readonly kubelet: string | undefined;
  /** True: a kubelet of somebody else, which has upstream's flags alone. */
  readonly upstream: boolean;
  readonly weaken: boolean;
  readonly list: boolean;
  /** Names of the cases to run. */
  readonly cases: readonly string[];
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[], names: readonly string[]): AttackOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kubelet: { type: 'string' },
      upstream: { type: 'boolean', default: false },
      weaken: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  const { kubelet, upstream, weaken, list } = values;
  if (kubelet !== undefined && !existsSync(kubelet)) throw new Error(`--kubelet: there is no file ${kubelet}`);
  if (upstream && kubelet === undefined) throw new Error('--upstream says what --kubelet names; give that as well');
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`there is no case ${unknown.join(', ')}; the cases are ${names.join(', ')}`);
  return { kubelet, upstream, weaken, list, cases: positionals.length === 0 ? names : positionals };
}
