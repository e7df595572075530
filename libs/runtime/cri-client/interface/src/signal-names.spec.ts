import { describe, expect, it } from '@jest/globals';
import { Signal } from './generated/runtime.js';
import { nameOfSignal, signalOfName } from './signal-names.js';

describe('stop signals', () => {
  it.each([
    ['SIGTERM', Signal.SIGTERM],
    ['SIGKILL', Signal.SIGKILL],
    ['SIGRTMIN', Signal.SIGRTMIN],
    ['SIGRTMIN+1', Signal.SIGRTMINPLUS1],
    ['SIGRTMIN+15', Signal.SIGRTMINPLUS15],
    ['SIGRTMAX-14', Signal.SIGRTMAXMINUS14],
    ['SIGRTMAX-1', Signal.SIGRTMAXMINUS1],
    ['SIGRTMAX', Signal.SIGRTMAX],
  ])('%s has a number and comes back as it was', (name, signal) => {
    expect(signalOfName(name)).toBe(signal);
    expect(nameOfSignal(signal)).toBe(name);
  });

  it('every number of the CRI but the default has a name of its own', () => {
    const numbers = Object.values(Signal).filter((value) => value > 0);
    expect(numbers).toHaveLength(65);
    for (const signal of numbers) expect(signalOfName(nameOfSignal(signal) ?? '')).toBe(signal);
  });

  it.each(['', 'TERM', 'SIGRTMIN+16', 'SIGRTMINPLUS', 'RUNTIME_DEFAULT', 'UNRECOGNIZED'])('%j is none', (name) => {
    expect(signalOfName(name)).toBe(Signal.RUNTIME_DEFAULT);
  });

  it('the default of the runtime has no name', () => {
    expect(nameOfSignal(Signal.RUNTIME_DEFAULT)).toBeUndefined();
    expect(nameOfSignal(Signal.UNRECOGNIZED)).toBeUndefined();
  });
});
