import { describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { text } from '@podwright/http-answer';
import { VirtualClock } from '@podwright/time';
import { heldBytes, PendingAnswers } from './pending-answers.js';

const kilo = 1024;

function setUp(maxBytes: number) {
  const clock = new VirtualClock();
  const answers = new PendingAnswers(clock, maxBytes);
  const cut: string[] = [];
  const add = (name: string, bytes: number): (() => void) => {
    const [address] = name.split(' ');
    const response = { socket: { remoteAddress: address }, destroy: () => cut.push(name) };
    return answers.add(response as unknown as ServerResponse, bytes);
  };
  return { clock, answers, add, cut };
}

describe('PendingAnswers', () => {
  it('have a minute, and a second for each 16 KiB', async () => {
    const { clock, add, cut } = setUp(1_000 * kilo);
    add('a large', 160 * kilo);
    add('a taken', 8 * kilo)();
    add('a small', 8 * kilo);
    await clock.advance(60_000);
    expect(cut).toEqual([]);
    await clock.advance(1_000);
    expect(cut).toEqual(['a small']);
    await clock.advance(9_000);
    expect(cut).toEqual(['a small', 'a large']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('make room by cutting off the slow ones of who has most of them', async () => {
    const { clock, answers, add, cut } = setUp(100 * kilo);
    add('a 1', 30 * kilo);
    add('b 1', 20 * kilo);
    add('b 2', 20 * kilo);
    expect(answers.makeRoom(40 * kilo)).toBe(false);
    await clock.advance(10_000);
    const quick = add('c 1', 20 * kilo);
    expect(answers.makeRoom(40 * kilo)).toBe(true);
    expect(cut).toEqual(['b 1', 'a 1']);
    quick();
    expect(answers.makeRoom(80 * kilo)).toBe(true);
    expect(answers.makeRoom(200 * kilo)).toBe(true);
    expect(cut).toEqual(['b 1', 'a 1', 'b 2']);
  });
});

describe('heldBytes', () => {
  it('counts what is large and complete', () => {
    expect(heldBytes(text(200, 'x'.repeat(5_000)))).toBe(5_000);
    expect(heldBytes({ status: 200, headers: {}, body: new Uint8Array(5_000) })).toBe(5_000);
    expect(heldBytes(text(200, 'ok'))).toBe(0);
    expect(heldBytes({ status: 200, headers: {}, body: (async function* () {})() })).toBe(0);
  });
});
