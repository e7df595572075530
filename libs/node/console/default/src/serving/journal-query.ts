import type { JournalQuery } from '@podwright/console-interface';
import { decisionKinds, isDecisionKind } from '@podwright/journal-interface';

const defaultLimit = 100;
const mostEntries = 1_000;

/** The query of `console/data/journal`; a text says what is wrong with it. */
export function journalQuery(query: URLSearchParams): JournalQuery | string {
  const kinds = (query.get('kinds') ?? '').split(',').filter((kind) => kind !== '');
  const unknown = kinds.find((kind) => !isDecisionKind(kind));
  if (unknown !== undefined) {
    return `kinds has ${JSON.stringify(unknown)}, which is no kind of decision; there are ${decisionKinds.join(', ')}`;
  }
  const numbers: Record<string, number> = {};
  for (const [name, field] of Object.entries({
    since: 'sinceMs',
    until: 'untilMs',
    before: 'beforeSeq',
    limit: 'limit',
  })) {
    const given = query.get(name);
    if (given === null || given === '') continue;
    if (!/^\d{1,16}$/.test(given)) return `${name} must be a whole number, not ${JSON.stringify(given)}`;
    numbers[field] = Number(given);
  }
  const { limit = defaultLimit, ...others } = numbers;
  if (limit < 1 || limit > mostEntries) return `limit must be 1 to ${mostEntries}, not ${limit}`;
  const pod = query.get('pod') ?? '';
  return {
    ...{ ...others, limit },
    ...(kinds.length > 0 && { kinds: kinds.filter(isDecisionKind) }),
    ...(pod !== '' && { podUid: pod }),
  };
}
