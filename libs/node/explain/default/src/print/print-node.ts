import type { NodeExplanation } from '@podwright/explain-interface';
import { amount } from './amount.js';
import { labelled, table } from './page.js';
import { bytes, span } from './span.js';

/** Rows of a table; the JSON has more. */
const most = 3;
const mostPressures = 4;
const first = <T>(rows: readonly T[]): readonly T[] => rows.slice(0, most);

/** The explanation as a page for a terminal, at most about 24 lines of 100 columns: one screen. */
export function printNode(explanation: NodeExplanation): string {
  const { node, headline, advice, atMs, runtimeErrors, networkErrors, contacts, outages, conditions } = explanation;
  const ago = (ms: number): string => `${span(atMs - ms)} ago`;
  const { pressures, next, evictions, imageRemovals, imageGcs, notes } = explanation;
  const [nearest] = pressures;
  // A node that is short, or soon will be, has to choose; else the names say enough.
  const choosesSoon = nearest?.met === true || /pressure$/.test(explanation.situation);
  const lines = [
    `Node${node === undefined ? '' : ` ${node}`}`,
    ...labelled('', headline).map((line) => line.trim()),
    '',
    ...[...runtimeErrors, ...networkErrors].flatMap((error) => labelled('Error', error)),
    ...contacts.flatMap(({ what, sinceMs, error }) => labelled('Fails', `${what} since ${ago(sinceMs)}: ${error}`)),
    ...labelled('What to do', advice),
    ...notes.flatMap((note) => labelled('Note', note)),
    ...labelled('Evicts', choosesSoon ? '' : namesOf(next)),
    ...table(
      ['CONDITION', 'STATUS', 'SINCE', 'REASON'],
      // The headline says that the node is Ready.
      conditions
        .filter(({ status, type }) => type !== 'Ready' || status !== 'True')
        .map(({ type, status, sinceMs, reason, message }) => [
          ...[type, status, sinceMs === undefined ? '' : ago(sinceMs), `${reason}: ${message}`],
        ]),
    ),
    ...table(
      ['NOT READY', 'FOR', 'REASON'],
      first(outages).map(({ fromMs, untilMs, reason, message }) => [
        ...[ago(fromMs), `${span((untilMs ?? atMs) - fromMs)}${untilMs === undefined ? ' and still' : ''}`],
        `${reason}: ${message}`,
      ]),
    ),
    ...table(
      ['PRESSURE', 'AVAILABLE', 'OF', 'EVICTS BELOW', 'LEFT', ''],
      pressures
        .filter(({ threshold, met }, index) => threshold !== undefined && (met || index < mostPressures))
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
      (choosesSoon ? first(next) : []).map(({ namespace, name, usage, request, priority }) => [
        `${namespace}/${name}`,
        ...[usage, request].map((of) => (of === undefined ? '?' : nearest ? amount(nearest, of) : String(of))),
        String(priority),
      ]),
    ),
    ...table(
      ['EVICTED', 'POD', 'MESSAGE'],
      first(evictions).map(({ atMs: at, namespace, name, message }) => [ago(at), `${namespace}/${name}`, message]),
    ),
    ...table(
      ['IMAGE GC', 'CAUSE', 'REMOVED', 'RESULT'],
      first(imageGcs).map(({ atMs: at, cause, removed, freedBytes, usagePercent, highThresholdPercent, error }) => [
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
      first(imageRemovals).map(({ atMs: at, cause, sizeBytes, unusedMs, image, error }) => [
        ...[ago(at), cause, bytes(sizeBytes), unusedMs === undefined ? 'never used' : span(unusedMs)],
        error === undefined ? image : `${image}: still there: ${error}`,
      ]),
    ),
  ];
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

function namesOf(candidates: NodeExplanation['next']): string {
  const names = first(candidates).map(({ namespace, name }) => `${namespace}/${name}`);
  const [signal] = candidates.map(({ signal: of }) => of);
  const more = candidates.length > names.length ? ` and ${candidates.length - names.length} more` : '';
  return signal === undefined ? '' : `nobody now; if ${signal} runs short, in this order: ${names.join(', ')}${more}`;
}
