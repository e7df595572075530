import path from 'node:path';
import { unpackFirstThatSuits } from './first-that-suits.js';

const oldestMinor = 49;

export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
}

/**
 * Unpacks the first Debian Prometheus whose scrape formats can be chosen into the cache. Rejects when no suite of the
 * machine's archive has one.
 */
export async function findPrometheus(log: (line: string) => void, cacheDir?: string): Promise<PrometheusPrograms> {
  const wanted = {
    names: ['prometheus', 'promtool'],
    group: 'prometheus',
    suites: ['trixie', 'forky', 'sid'],
    suits: (version: string) => {
      const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
      return Number(major) > 2 || (major === '2' && Number(minor) >= oldestMinor);
    },
    description: `Prometheus 2.${oldestMinor} or newer`,
  } as const;
  const dir = await unpackFirstThatSuits(wanted, log, cacheDir);
  return { prometheus: path.join(dir, 'usr/bin/prometheus'), promtool: path.join(dir, 'usr/bin/promtool') };
}
