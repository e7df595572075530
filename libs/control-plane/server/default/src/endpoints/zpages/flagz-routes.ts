import type { KubeletProcess } from '@podwright/server-interface';
import type { Random } from '@podwright/time';
import type { Route } from '@podwright/server-interface';
import { separators, zpageRoute } from './zpage-route.js';

/** Serves every flag and its value at `/flagz`. The separator is chosen once: the flags do not change either. */
export function flagzRoutes(process: Pick<KubeletProcess, 'flags'>, random: Random, cbor: boolean): readonly Route[] {
  const separator = separators[Math.floor(random.next() * separators.length)] ?? ':';
  const sorted = (): readonly (readonly [string, string])[] =>
    Object.entries(process.flags).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    zpageRoute({
      path: '/flagz',
      kind: 'Flagz',
      cbor,
      text: () =>
        sorted()
          .map(([name, value]) => `${name}${separator}${value}\n`)
          .join(''),
      fields: () => ({ flags: Object.fromEntries(sorted()) }),
    }),
  ];
}
