const span = /\b\d+(\.\d+)?(ms|s|m|h|d)(\d+(s|m|h))?\b(?! at most)/g;
const uids = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g;
const ids = /\b(sha256:)?[0-9a-f]{64}\b/g;
const counts = /\((\d+) times|\b(changes|times|in a row|attempts) \d+|\bchanged \d+ times|(failure) \d+ of/g;

/**
 * A printed page without what differs from run to run, for tests that compare it with a stored one: spans of time, random
 * IDs and counts of attempts become `#`, wrapped lines and columns are joined.
 */
export function maskedPage(page: string): string {
  const [title = '', ...rest] = page.split('\n');
  const end = rest.indexOf('');
  // Where lines are wrapped depends on the length of what is masked.
  const whole = [title, rest.slice(0, end).join(' '), ...rest.slice(end)].join('\n').replace(/\n {2,}(?=\S)/g, ' ');
  return whole
    .replace(uids, 'UID')
    .replace(ids, '$1ID')
    .replace(span, '#s')
    .replace(/^(Next try +)due now$/m, '$1in #s')
    .replace(counts, (found) => found.replace(/\d+/, '#'))
    .replace(/\bwaited #s(, )?/g, '')
    .replace(/,? +$/gm, '')
    .replace(/ {2,}/g, '  ');
}
