import { GoPatternScanner, PatternFault } from './go-pattern-scanner.js';

/** The operand of a repetition, and the maximum repetition of its most repeated part; more than 1000 is an error. */
interface Group {
  /** Of the last operand; undefined when there is nothing to repeat. */
  last: number | undefined;
  most: number;
}

const mostRepeats = 1000;
const mostDepth = 1000;

/**
 * Go's error for an invalid pattern in Perl syntax; undefined for a valid one. Upstream checks the patterns for
 * journalctl this way. Source: Go regexp/syntax/parse.go.
 */
export function goPatternFault(pattern: string): string | undefined {
  try {
    check(new GoPatternScanner(pattern));
    return undefined;
  } catch (error) {
    if (error instanceof PatternFault) return error.message;
    throw error;
  }
}

function check(scanner: GoPatternScanner): void {
  const outer: Group[] = [];
  let group: Group = { last: undefined, most: 1 };
  let lastRepeat: number | undefined;
  const atom = (weight = 1): void => {
    group.last = weight;
    group.most = Math.max(group.most, weight);
  };
  const repeat = (start: number, weight: (inner: number) => number): void => {
    scanner.takeIf('?');
    if (lastRepeat !== undefined) throw scanner.fault('invalid nested repetition operator', lastRepeat);
    if (group.last === undefined) throw scanner.fault('missing argument to repetition operator', start);
    const heavier = weight(group.last);
    if (heavier > mostRepeats) throw scanner.fault('invalid repeat count', start);
    atom(heavier);
    lastRepeat = start;
  };
  while (!scanner.atEnd) {
    const start = scanner.position;
    const before = lastRepeat;
    switch (scanner.peek()) {
      case '(': {
        if (scanner.groupStart() === 'flags') break;
        if (outer.length >= mostDepth) throw scanner.faultOfAll('expression nests too deeply');
        outer.push(group);
        group = { last: undefined, most: 1 };
        break;
      }
      case ')': {
        const parent = outer.pop();
        if (parent === undefined) throw scanner.faultOfAll('unexpected )');
        scanner.take();
        const { most } = group;
        group = parent;
        atom(most);
        break;
      }
      case '|':
        scanner.take();
        group.last = undefined;
        break;
      case '[':
        scanner.characterClass();
        atom();
        break;
      case '*':
      case '+':
      case '?':
        scanner.take();
        repeat(start, (inner) => inner);
        break;
      case '{': {
        const count = scanner.repeatCount();
        if (count === undefined) {
          scanner.take();
          atom();
          break;
        }
        if (!count.isValid) throw scanner.fault('invalid repeat count', start);
        repeat(start, (inner) => (count.most > 1 ? count.most * inner : count.most === 0 ? 1 : inner));
        break;
      }
      case '\\':
        if (scanner.escape()) atom();
        break;
      default:
        scanner.take();
        atom();
    }
    if (lastRepeat === before) lastRepeat = undefined;
  }
  if (outer.length > 0) throw scanner.faultOfAll('missing closing )');
}
