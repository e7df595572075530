import { describe, expect, it } from '@jest/globals';
import { createLogger } from './create-logger.js';
import type { LoggerOptions } from './create-logger.js';
import type { Logger } from './logger.js';

const at = new Date(2026, 0, 2, 3, 4, 5, 678).getTime() + 0.25;

function lines(options: Partial<LoggerOptions>, log: (logger: Logger) => void): string[] {
  const written: string[] = [];
  log(createLogger({ clock: { now: () => at }, pid: 42, write: (line) => written.push(line), ...options }));
  return written;
}

describe('text format', () => {
  it('writes klog headers with the component and quoted values', () => {
    expect(
      lines({}, (logger) => {
        logger.info('Started', { pod: { metadata: { name: 'a', namespace: 'ns' } }, count: 3, ok: true });
        logger.warn('odd "thing"\n', { path: '/a\tb' });
        logger
          .with({ logger: 'pleg' })
          .error('relist failed', { key: 'k', error: new Error('outer', { cause: new Error('inner') }) });
      }),
    ).toEqual([
      'I0102 03:04:05.678250      42 kubelet] "Started" pod="ns/a" count=3 ok=true',
      'W0102 03:04:05.678250      42 kubelet] "odd \\"thing\\"\\n" path="/a\\tb"',
      'E0102 03:04:05.678250      42 pleg] "relist failed" err="outer: inner" key="k"',
    ]);
  });

  it('indents values of several lines as klog does', () => {
    expect(lines({}, (logger) => logger.info('x', { text: 'a\nb\u001b[0m' }))).toEqual([
      'I0102 03:04:05.678250      42 kubelet] "x" text=<\n\ta\n\tb\\x1b[0m\n >',
    ]);
  });

  it('never throws and never writes without bound', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const hostile = {
      get broken(): string {
        throw new Error('getter');
      },
    };
    const [first = '', second = '', third = ''] = lines({}, (logger) => {
      logger.info('loop', { loop, big: 10n, fn: () => 1, list: ['a', Number.NaN] });
      logger.info('hostile', hostile);
      logger.info('long', { text: 'x'.repeat(1_000_000) });
    });
    expect(first).toContain('not printable');
    expect(first).toContain('big="10"');
    expect(second).toContain('"hostile" unprintable="getter"');
    expect(third.length).toBeLessThan(20_000);
    const broken = (): void => {
      throw new Error('disk full');
    };
    expect(() => createLogger({ clock: { now: () => at }, write: broken }).info('x')).not.toThrow();
  });

  it('adds the stack of errors that are bugs', () => {
    const [bug = '', other = ''] = lines({}, (logger) => {
      logger.error('failed', { error: new TypeError('x is not a function') });
      logger.error('failed', { error: new Error('no answer') });
    });
    expect(bug).toMatch(/err="x is not a function" stack=<\n\tat .*format\.spec/);
    expect(other).not.toContain('stack');
  });
});

describe('JSON format', () => {
  it('writes what component-base writes', () => {
    const written = lines({ format: 'json', verbosity: 4 }, (logger) => {
      logger.debug(4, 'hello', { pod: { metadata: { name: 'a', namespace: 'ns' } }, pods: ['x'] });
      logger.with({ logger: 'pleg' }).error('bad', { error: new Error('why'), msg: 'not twice' });
      logger.warn('careful');
    });
    expect(written).toEqual([
      `{"ts":${at},"msg":"hello","v":4,"pod":{"name":"a","namespace":"ns"},"pods":["x"]}`,
      `{"ts":${at},"logger":"pleg","msg":"bad","err":"why","msg_":"not twice"}`,
      `{"ts":${at},"msg":"careful","level":"warning","v":0}`,
    ]);
    for (const line of written) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});

describe('contextual logging', () => {
  const log = (contextual: boolean, format: 'text' | 'json'): readonly string[] =>
    lines({ contextual, format }, (logger) => {
      const pleg = logger.with({ logger: 'pleg', node: 'n' });
      pleg.with({ podUid: 'u' }).info('Relisted', { count: 1 });
    });

  it('can be switched off: only the name of the logger stays', () => {
    expect(log(true, 'text')[0]).toMatch(/ pleg\] "Relisted" node="n" podUid="u" count=1$/);
    expect(log(false, 'text')[0]).toMatch(/ pleg\] "Relisted" count=1$/);
    expect(log(false, 'json')).toEqual([`{"ts":${at},"logger":"pleg","msg":"Relisted","v":0,"count":1}`]);
  });
});

describe('verbosity', () => {
  it('follows -v, vmodule and changes at run time', () => {
    const written: string[] = [];
    const root = createLogger({
      clock: { now: () => at },
      write: (line) => written.push(line.slice(line.indexOf(']') + 2)),
      verbosity: 2,
      vmodule: [{ filePattern: 'pl*', verbosity: 5 }],
    });
    const pleg = root.with({ logger: 'pleg' });
    root.debug(3, 'no');
    pleg.debug(5, 'by rule');
    root.setVerbosity(3);
    root.debug(3, 'now');
    expect(written).toEqual(['"by rule"', '"now"']);
    expect([root.enabled(3), root.enabled(4), pleg.enabled(5), pleg.enabled(6)]).toEqual([true, false, true, false]);
  });
});
