import { describe, expect, it } from '@jest/globals';
import { LogDecoder } from './log-decoder.js';
import { LogOutput } from './log-output.js';
import type { LogOutputOptions } from './log-output.js';

const all: LogOutputOptions = { timestamps: false, stream: 'All', limitBytes: Infinity, limitRecords: Infinity };
const t = '2026-01-01T00:00:00.5Z';
const shown = '2026-01-01T00:00:00.500000000Z';

/** The log cut into blocks of every size gives the same each time. */
function decode(log: string, options: Partial<LogOutputOptions> = {}): { text: string; skipped: number } {
  const bytes = Buffer.from(log);
  const outcomes = [1, 2, 3, 7, 50, bytes.length + 1].map((size) => {
    const output = new LogOutput({ ...all, ...options });
    const decoder = new LogDecoder(output);
    let text = '';
    for (let at = 0; at < bytes.length; at += size) {
      // The block is used again, as a reader of files does.
      const block = Buffer.from(bytes.subarray(at, at + size));
      decoder.push(block);
      text += Buffer.from(output.take() ?? []).toString('latin1');
      block.fill(0);
    }
    decoder.endOfFile();
    text += Buffer.from(output.take() ?? []).toString('latin1');
    return { text: Buffer.from(text, 'latin1').toString(), skipped: decoder.skipped };
  });
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  return outcomes[0] as { text: string; skipped: number };
}

describe('the lines of a log', () => {
  it.each<[string, string, Partial<LogOutputOptions>, string]>([
    ['full lines', `${t} stdout F one\n${t} stderr F two\n`, {}, 'one\ntwo\n'],
    ['an empty line', `${t} stdout F \n`, {}, '\n'],
    ['spaces of the content', `${t} stdout F  a  b \n`, {}, ' a  b \n'],
    ['bytes beyond ASCII', `${t} stdout F é😀\n`, {}, 'é😀\n'],
    ['a carriage return', `${t} stdout F a\r\n`, {}, 'a\r\n'],
    ['partial lines', `${t} stdout P one \n${t} stdout P two \n${t} stdout F three\n`, {}, 'one two three\n'],
    ['further tags', `${t} stdout P:x:y one \n${t} stdout F:z two\n`, {}, 'one two\n'],
    ['a tag that is unknown', `${t} stdout Partly one\n`, {}, 'one\n'],
    ['a last line without end', `${t} stdout F one\n${t} stdout F two`, {}, 'one\ntwo'],
    ['time stamps', `${t} stdout F one\n${t} stderr F two\n`, { timestamps: true }, `${shown} one\n${shown} two\n`],
    [
      'one time stamp for each logical line',
      `${t} stdout P one \n${t} stdout F two\n${t} stdout F three\n`,
      { timestamps: true },
      `${shown} one two\n${shown} three\n`,
    ],
    [
      'a new time stamp after an empty partial line',
      `${t} stdout P \n${t} stdout F a\n`,
      { timestamps: true },
      `${shown} ${shown} a\n`,
    ],
    ['one stream', `${t} stdout F one\n${t} stderr P two\n${t} stdout F three\n`, { stream: 'Stdout' }, 'one\nthree\n'],
    [
      'the other stream',
      `${t} stdout P one\n${t} stderr F two\n`,
      { stream: 'Stderr', timestamps: true },
      `${shown} two\n`,
    ],
    ['a limit, time stamps counted', `${t} stdout F one\n`, { timestamps: true, limitBytes: 33 }, `${shown} on`],
    ['a limit at the end of a line', `${t} stdout F one\n${t} stdout F two\n`, { limitBytes: 4 }, 'one\n'],
    ['a number of records', `${t} stdout P one\n${t} stdout F two\n${t} stdout F x\n`, { limitRecords: 2 }, 'onetwo\n'],
    [
      'Docker lines',
      `{"log":"a\\n","stream":"stdout","time":"${t}"}\n{"log":"b","stream":"stderr","time":"${t}"}\n`,
      {},
      'a\nb',
    ],
    ['Docker time stamps', `{"log":"a\\n","stream":"stdout","time":"${t}"}\n`, { timestamps: true }, `${shown} a\n`],
  ])('%s', (_name, log, options, expected) => {
    expect(decode(log, options)).toEqual({ text: expected, skipped: 0 });
  });

  it.each([
    'no time\n',
    `${t}\n`,
    `${t} stdin F x\n`,
    `${t} stdout\n`,
    `${t} stdout F\n`,
    '2026-01-01 stdout F x\n',
    '\n',
    '{"log":"x","stream":"stdout"}\n',
    '{"log":"x","stream":"other","time":"2026-01-01T00:00:00Z"}\n',
    '{"log":1,"stream":"stdout","time":"2026-01-01T00:00:00Z"}\n',
    'null\n',
  ])('refuses a log that begins with %j, and leaves such a line out later', (line) => {
    expect(() => decode(line)).toThrow(
      expect.objectContaining({
        message: `failed to get parse function: unsupported log format: ${JSON.stringify(line)}`,
        code: 'failed-precondition',
      }),
    );
    expect(decode(`${t} stdout F a\n${line}${t} stdout F b\n`, { limitRecords: 2 })).toEqual({
      text: 'a\nb\n',
      skipped: 1,
    });
    const docker = `{"log":"a","stream":"stdout","time":"${t}"}\n`;
    expect(decode(`${docker}${line}${docker}`)).toEqual({ text: 'aa', skipped: 1 });
  });

  it('does not fill an error with what a container wrote', () => {
    expect(() => decode('x'.repeat(5000))).toThrow(`unsupported log format: "${'x'.repeat(1024)}"`);
  });

  describe('of any length', () => {
    const block = Buffer.alloc(64 * 1024, 'x');
    /** Pushes a head, 64 blocks and a tail; gives the sizes that came out and the most that was held back. */
    function pushLong(
      head: string,
      tail: string,
      options: Partial<LogOutputOptions> = {},
    ): { total: number; end: string; largest: number } {
      const output = new LogOutput({ ...all, ...options });
      const decoder = new LogDecoder(output);
      let total = 0;
      let largest = 0;
      let end = '';
      const take = (): void => {
        const piece = output.take() ?? new Uint8Array();
        total += piece.length;
        largest = Math.max(largest, piece.length);
        end = (end + Buffer.from(piece.subarray(-8)).toString()).slice(-8);
      };
      decoder.push(Buffer.from(head));
      for (let count = 0; count < 64; count++) {
        decoder.push(block);
        take();
      }
      decoder.push(Buffer.from(tail));
      decoder.endOfFile();
      take();
      return { total, end, largest };
    }
    const long = 64 * 64 * 1024;

    it.each<[string, string, string, Partial<LogOutputOptions>, number, string]>([
      ['a full line', `${t} stdout F `, `\n${t} stdout F next\n`, {}, long + 6, 'xx\nnext\n'],
      ['a partial line', `${t} stdout P `, `\n${t} stdout F next\n`, {}, long + 5, 'xxxnext\n'],
      ['a line that is not wanted', `${t} stderr F `, `\n${t} stdout F next\n`, { stream: 'Stdout' }, 5, 'next\n'],
      ['a line that is limited', `${t} stdout F `, '\n', { limitBytes: 1_000_000 }, 1_000_000, 'xxxxxxxx'],
      ['a line without end', `${t} stdout F `, '', {}, long, 'xxxxxxxx'],
      ['a line of another form', `${t} stdout F a\nx`, `\n${t} stdout F next\n`, {}, 7, 'a\nnext\n'],
    ])('%s is not kept in memory', (_name, head, tail, options, total, end) => {
      const outcome = pushLong(head, tail, options);
      expect({ total: outcome.total, end: outcome.end }).toEqual({ total, end });
      expect(outcome.largest).toBeLessThan(512 * 1024);
    });

    it('a Docker line is left out', () => {
      const docker = `{"log":"a\\n","stream":"stdout","time":"${t}"}\n`;
      expect(pushLong(`${docker}{"log":"`, `"}\n${docker}`)).toMatchObject({ total: 4, end: 'a\na\n' });
    });
  });
});
