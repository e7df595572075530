import { messageOf } from '@podwright/errors';
import type { KubeletProcess } from '@podwright/server-interface';
import { goError, type Answer } from '@podwright/http-answer';
import type { Route } from '@podwright/server-interface';

/** Longer than any valid number. */
const maxLevelBytes = 1024;

/**
 * PUT `/debug/flags/v` sets the verbosity of the log. Source: kubernetes v1.36 apiserver/pkg/server/routes/flags.go,
 * component-base/logs (GlogSetter).
 */
export function debugFlagsRoutes(process: Pick<KubeletProcess, 'setVerbosity'>): readonly Route[] {
  return [
    {
      path: '/debug/flags/v',
      methods: 'any',
      metricPath: 'debug',
      handle: async (request) => {
        if (request.method !== 'PUT') return plain(406, 'unsupported http method');
        let level: string;
        try {
          level = new TextDecoder().decode(await request.body(maxLevelBytes));
        } catch (error) {
          return plain(400, `error reading request body: ${messageOf(error)}`);
        }
        const fault = levelFault(level);
        if (fault !== undefined) return plain(400, fault);
        process.setVerbosity(Number(level));
        return plain(200, `successfully set klog.logging.verbosity to ${level}`);
      },
    },
  ];
}

const plain = (status: number, message: string): Answer => ({
  ...goError(status, message),
  headers: { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' },
});

// Upstream parses an unsigned 32-bit number, then sets a signed 32-bit one.
function levelFault(level: string): string | undefined {
  const of = (parser: string, problem: string): string =>
    `strconv.${parser}: parsing ${JSON.stringify(level)}: ${problem}`;
  if (!/^\d+$/.test(level)) return of('ParseUint', 'invalid syntax');
  const outOfRange = 'value out of range';
  if (Number(level) > 0xffffffff) return of('ParseUint', outOfRange);
  if (Number(level) <= 0x7fffffff) return undefined;
  return `failed set klog.logging.verbosity ${level}: ${of('ParseInt', outOfRange)}`;
}
