import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { whole } from '../bench/options.js';
import { clusterAssets } from '../bench/own-cluster.js';
import type { ChaosSize } from './chaos-size.js';

export interface ChaosOptions {
  /** The kubelet to trouble; undefined: the one built from the sources. */
  readonly kubelet: string | undefined;
  /** True: a kubelet of somebody else, which has upstream's flags alone. */
  readonly upstream: boolean;
  /** Folder with the programs of a real API server; undefined: the one in memory. */
  readonly assets: string | undefined;
  readonly list: boolean;
  /** Names of the cases to run. */
  readonly cases: readonly string[];
  /** Name of the lab. */
  readonly name: string;
  /** Folder for the kubelets' logs. */
  readonly logs: string | undefined;
  readonly size: ChaosSize;
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[], names: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubelet: { type: 'string' },
      upstream: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      cluster: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      name: { type: 'string', default: 'chaos' },
      logs: { type: 'string' },
      pods: { type: 'string', default: '50' },
      pause: { type: 'string', default: '60' },
      away: { type: 'string', default: '300' },
      probes: { type: 'string', default: '60' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const { kubelet, upstream, list, name, logs } = values;
  if (kubelet !== undefined && !existsSync(kubelet)) throw new Error(`--kubelet: there is no file ${kubelet}`);
  if (upstream && kubelet === undefined) throw new Error('--upstream says what --kubelet names; give that as well');
  const unknown = values.case.filter((each) => !names.includes(each));
  if (unknown.length > 0) {
    throw new Error(`--case: there is no case ${unknown.join(', ')}; the cases are ${names.join(', ')}`);
  }
  return {
    ...{ kubelet, upstream, list, name, logs },
    assets: values.cluster ? clusterAssets() : undefined,
    cases: values.case.length === 0 ? names : values.case,
    size: {
      pods: whole('--pods', values.pods, 2),
      pauseSeconds: whole('--pause', values.pause, 1),
      awaySeconds: whole('--away', values.away, 1),
      probeSeconds: whole('--probes', values.probes, 1),
      soakMinutes: whole('--minutes', values.minutes, 1),
    },
  };
}
