import type { NodeExplanation } from '@podwright/explain-interface';
import { amount } from './amount.js';
import { labelled, table } from './page.js';
import { bytes, span } from './span.js';

/** The explanation as a page for a terminal, at most about 40 lines of 100 columns. */
export function printNode(explanation: NodeExplanation): string {
  const { node, headline, advice, atMs, runtimeErrors, networkErrors, contacts, outages, conditions } = explanation;
  const ago = (ms: number): string => `${span(atMs - ms)} ago`;
  const { pressures, next, evictions, imageRemovals, imageGcs, notes } = explanation;
  const [nearest] = pressures;
  const lines = [
    `Node${node === undefined ? '' : ` ${node}`}`,
    ...labelled('', headline).map((line) => line.trim()),
    '',
    ...[...runtimeErrors, ...networkErrors].flatMap((error) => labelled('Error', error)),
    ...contacts.flatMap(({ what, sinceMs, error }) => labelled('Fails', `${what} since ${ago(sinceMs)}: ${error}`)),
    ...labelled('What to do', advice),
    ...notes.flatMap((note) => labelled('Note', note)),
    ...table(
      ['CONDITION', 'STATUS', 'SINCE', 'REASON'],
      conditions.map(({ type, status, sinceMs, reason, message }) => [
        ...[type, status, sinceMs === undefined ? '' : ago(sinceMs), `${reason}: ${message}`],
      ]),
    ),
    ...table(
      ['NOT READY', 'FOR', 'REASON'],
      outages.map(({ fromMs, untilMs, reason, message }) => [
        ...[ago(fromMs), `${span((untilMs ?? atMs) - fromMs)}${untilMs === undefined ? ' and still' : ''}`],
        `${reason}: ${message}`,
      ]),
    ),
    ...table(
      ['PRESSURE', 'AVAILABLE', 'OF', 'EVICTS BELOW', 'LEFT', ''],
      pressures
        .filter(({ threshold }) => threshold !== undefined)
        .map((pressure) => {
          const { signal, available, capacity, threshold, distance, met, metSinceMs } = pressure;
          const since = metSinceMs === undefined ? '' : ` since ${ago(metSinceMs)}`;
          return [
            ...[signal, amount(pressure, available), amount(pressure, capacity)],
            ...[threshold, distance].map((of) => (of === undefined ? '-' : amount(pressure, of))),
            met ? `met${since}` : '',
          ];
        }),
    ),
    ...table(
      [`NEXT FOR ${nearest?.signal ?? ''}`, 'USES', 'REQUESTS', 'PRIORITY'],
      next.map(({ namespace, name, usage, request, priority }) => [
        `${namespace}/${name}`,
        ...[usage, request].map((of) => (of === undefined ? '?' : nearest ? amount(nearest, of) : String(of))),
        String(priority),
      ]),
    ),
    ...table(
      ['EVICTED', 'POD', 'MESSAGE'],
      evictions.map(({ atMs: at, namespace, name, message }) => [ago(at), `${namespace}/${name}`, message]),
    ),
    ...table(
      ['IMAGE GC', 'CAUSE', 'REMOVED', 'RESULT'],
      imageGcs.map(({ atMs: at, cause, removed, freedBytes, usagePercent, highThresholdPercent, error }) => [
        ...[ago(at), cause, `${removed}, ${bytes(freedBytes)}`],
        [
          usagePercent === undefined
            ? undefined
            : `disk was ${usagePercent} % full, limit ${highThresholdPercent ?? '?'} %`,
          error,
        ]
          .filter((part) => part !== undefined)
          .join('; '),
      ]),
    ),
    ...table(
      ['IMAGE REMOVED', 'CAUSE', 'SIZE', 'UNUSED', 'IMAGE'],
      imageRemovals.map(({ atMs: at, cause, sizeBytes, unusedMs, image, error }) => [
        ...[ago(at), cause, bytes(sizeBytes), unusedMs === undefined ? 'never used' : span(unusedMs)],
        error === undefined ? image : `${image}: still there: ${error}`,
      ]),
    ),
  ];
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
}
