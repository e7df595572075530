import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { linkSignals, withLinkedSignal } from './linked-signal.js';

const listeners = ({ signal }: AbortController): number => getEventListeners(signal, 'abort').length;

describe('linkSignals', () => {
  it.each([0, 1])('aborts with parent %i, and keeps the first reason', (index) => {
    const parents = [new AbortController(), new AbortController()] as const;
    const linked = linkSignals(parents[0].signal, undefined, parents[1].signal);
    expect(linked.signal.aborted).toBe(false);
    parents[index]?.abort('first');
    parents[1 - index]?.abort('second');
    linked.abort('third');
    expect(linked.signal.reason).toBe('first');
  });

  it('is aborted at once when a parent is', () => {
    expect(linkSignals(new AbortController().signal, AbortSignal.abort('before')).signal.reason).toBe('before');
  });

  it('aborts alone, without its parents', () => {
    const parent = new AbortController();
    const linked = linkSignals(parent.signal);
    linked.abort('alone');
    expect([linked.signal.reason, parent.signal.aborted]).toEqual(['alone', false]);
  });

  it('leaves nothing on its parents once it is disposed of', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const linked = linkSignals(a.signal, b.signal);
    expect([listeners(a), listeners(b)]).toEqual([1, 1]);
    linked.dispose();
    linked.dispose();
    a.abort();
    expect([listeners(a), listeners(b), linked.signal.aborted]).toEqual([0, 0, false]);
  });
});

describe('withLinkedSignal', () => {
  it('gives the task one signal for all, and its outcome to the caller', async () => {
    const [stopping, caller] = [new AbortController(), new AbortController()];
    const task = (signal: AbortSignal): Promise<string> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(String(signal.reason))));
    const running = withLinkedSignal([stopping.signal, caller.signal], task);
    caller.abort('enough');
    expect(await running).toBe('enough');
    expect([listeners(stopping), listeners(caller)]).toEqual([0, 0]);
  });

  it('lets go after a failure too', async () => {
    const stopping = new AbortController();
    await expect(withLinkedSignal([stopping.signal], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(listeners(stopping)).toBe(0);
  });
});
