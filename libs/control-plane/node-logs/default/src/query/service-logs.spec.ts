import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { createRunProgram, type RunProgram } from './run-program.js';
import { serviceLogs } from './service-logs.js';

async function textOf(content: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const chunk of content) text += Buffer.from(chunk).toString();
  return text;
}

describe('serviceLogs', () => {
  it('ends a journal that does not end within 30 s', async () => {
    const clock = new VirtualClock();
    const run: RunProgram = (_file, args, signal) => {
      const aborted = new Promise<undefined>((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined));
      });
      const isUnits = args[0] === '--field';
      return {
        output: (async function* () {
          yield Buffer.from(isUnits ? 'sshd.service\n' : 'line\n');
          if (!isUnits) await aborted;
        })(),
        exitCode: isUnits ? Promise.resolve(0) : aborted,
      };
    };
    const query = { services: ['sshd'], options: {} };
    const text = textOf(serviceLogs({ root: '/nowhere', run, clock }, query, new AbortController().signal));
    await clock.advance(29_999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    expect(await text).toBe('line\n');
    expect(clock.pendingTimers).toBe(0);
  });

  it('says that the journal is not available when it can be asked for its units alone', async () => {
    const run: RunProgram = (_file, args) => ({
      output: (async function* () {
        if (args[0] === '--field') yield Buffer.from('sshd.service\n');
      })(),
      exitCode: Promise.resolve(args[0] === '--field' ? 0 : undefined),
    });
    const deps = { root: '/nowhere', run, clock: new VirtualClock() };
    const { signal } = new AbortController();
    const ask = (options: { readonly boot?: number }): Promise<string> =>
      textOf(serviceLogs(deps, { services: ['sshd'], options }, signal));
    expect(await ask({})).toBe('\nerror: journal output not available\n');
    expect(await ask({ boot: -1 })).toBe('');
  });
});

describe('a program', () => {
  const node = process.execPath;

  it('is run by its arguments, both outputs together', async () => {
    const script =
      'process.stdout.write("out $(id) " + process.argv[1]); process.stderr.write("!"); process.exitCode = 3';
    const { output, exitCode } = createRunProgram()(node, ['-e', script, '; true'], new AbortController().signal);
    const text = await textOf(output);
    expect([...text].sort()).toEqual([...'out $(id) ; true!'].sort());
    expect(await exitCode).toBe(3);
  });

  it('that is not there has no output and no exit code', async () => {
    const { output, exitCode } = createRunProgram()('/nowhere/journalctl', [], new AbortController().signal);
    expect([await textOf(output), await exitCode]).toEqual(['', undefined]);
  });

  it('is killed when nobody waits any more', async () => {
    const abort = new AbortController();
    const { output, exitCode } = createRunProgram()(
      node,
      ['-e', 'process.stdout.write("x"); setInterval(() => 0, 1e6)'],
      abort.signal,
    );
    for await (const chunk of output) {
      expect(String(chunk)).toBe('x');
      abort.abort();
    }
    expect(await exitCode).toBeUndefined();
  });
});
