import type { KubeletProcess } from '@podwright/server-interface';
import { type Clock, formatRfc3339, type Random } from '@podwright/time';
import type { Route } from '@podwright/server-interface';
import { unixDate } from './unix-date.js';
import { separators, zpageRoute } from './zpage-route.js';

export interface StatuszDeps {
  readonly process: Pick<KubeletProcess, 'version' | 'startedMs'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Paths that the page lists: upstream's plain handlers, not those of its web services. */
  readonly paths: readonly string[];
  /** Whether CBOR is offered too. */
  readonly cbor: boolean;
  /** Default: `node` and its version. */
  readonly engineVersion?: string;
}

/** Serves version, start time and paths at `/statusz`. `goVersion` holds Node's version. */
export function statuszRoutes(deps: StatuszDeps): readonly Route[] {
  const {
    process: { version, startedMs },
    clock,
    random,
  } = deps;
  const engine = deps.engineVersion ?? `node ${process.version}`;
  const binaryVersion = version.replace(/^v/, '');
  const emulationVersion = /^\d+\.\d+/.exec(binaryVersion)?.[0] ?? binaryVersion;
  const paths = firstElements(deps.paths);
  const uptimeSeconds = (): number => Math.max(0, Math.floor((clock.now() - startedMs) / 1000));
  return [
    zpageRoute({
      path: '/statusz',
      kind: 'Statusz',
      cbor: deps.cbor,
      text: () => {
        const is = separators[Math.floor(random.next() * separators.length)] ?? ':';
        return `
Started${is} ${unixDate(startedMs)}
Up${is} ${duration(uptimeSeconds())}
Go version${is} ${engine}
Binary version${is} ${binaryVersion}
Emulation version${is} ${emulationVersion}
Paths${is} ${paths.join(' ')}
`;
      },
      fields: () => ({
        startTime: formatRfc3339(startedMs),
        uptimeSeconds: uptimeSeconds(),
        goVersion: engine,
        binaryVersion,
        emulationVersion,
        paths,
      }),
    }),
  ];
}

const firstElements = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths.map((path) => `/${path.split('/')[1] ?? ''}`))].filter((path) => path !== '/').sort();

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const duration = (seconds: number): string =>
  `${Math.floor(seconds / 3600)} hr ${twoDigits(Math.floor(seconds / 60) % 60)} min ${twoDigits(seconds % 60)} sec`;
