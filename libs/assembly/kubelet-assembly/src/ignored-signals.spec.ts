import { describe, expect, it } from '@jest/globals';
import { ignoredSignals, ignoreSignals } from './ignored-signals.js';

describe('signals that upstream ignores', () => {
  it('are heard and do nothing, until the program has ended', () => {
    const listeners = (): number[] => ignoredSignals.map((signal) => process.listenerCount(signal));
    const before = listeners();
    const heedAgain = ignoreSignals();
    expect(listeners()).toEqual(before.map((count) => count + 1));
    for (const signal of ignoredSignals) process.emit(signal, signal);
    heedAgain();
    expect(listeners()).toEqual(before);
  });

  // SIGHUP ends Go programs too; the stops by SIGTERM and SIGINT have handlers of their own.
  it.each(['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const)('do not include %s', (signal) => {
    expect(ignoredSignals).not.toContain(signal);
  });
});
