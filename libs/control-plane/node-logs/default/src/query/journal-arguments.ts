import { parseRfc3339 } from '@podwright/time';
import type { NodeLogOptions } from './node-log-query.js';

/**
 * The arguments of journalctl for these services. `--until` gets the requested end; upstream passes the start there,
 * and fails without one, so that it shows nothing.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_server_journal_linux.go (getLoggingCmd).
 */
export function journalArguments(services: readonly string[], options: NodeLogOptions): readonly string[] {
  const { sinceTime, untilTime, tailLines, pattern, boot } = options;
  return [
    '--utc',
    '--no-pager',
    '--output=short-precise',
    ...(sinceTime === undefined ? [] : [`--since=${journalTime(sinceTime)}`]),
    ...(untilTime === undefined ? [] : [`--until=${journalTime(untilTime)}`]),
    ...(tailLines === undefined ? [] : ['--pager-end', `--lines=${tailLines}`]),
    ...services.map((service) => `--unit=${service}`),
    ...(pattern === undefined ? [] : [`--grep=${pattern}`]),
    ...(boot === undefined ? [] : ['--boot', String(boot)]),
  ];
}

// Go's layout `2006-1-2 15:4:5` in the time zone of the text: upstream does not convert it, although --utc affects only
// the output.
function journalTime(time: string): string {
  const ms = parseRfc3339(time) ?? 0;
  const zone = /([+-])(\d\d):(\d\d)$/.exec(time);
  const minutes = zone === null ? 0 : (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]));
  const date = new Date(ms + minutes * 60_000);
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()].join('-');
  return `${day} ${[date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].join(':')}`;
}
