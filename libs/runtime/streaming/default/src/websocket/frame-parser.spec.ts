import { describe, expect, it } from '@jest/globals';
import { clientFrame } from '../fixtures/web-socket-client.js';
import { FrameParser } from './frame-parser.js';

function read(bytes: Buffer, step: number): readonly string[] {
  const seen: string[] = [];
  let text = '';
  const parser = new FrameParser({
    message: (binary) => void seen.push(binary ? 'binary' : 'text'),
    data: (part) => (text += part.toString('latin1')),
    messageEnd: () => {
      seen.push(text);
      text = '';
    },
    ping: (payload) => void seen.push(`ping ${payload.toString()}`),
    close: (code) => void seen.push(`close ${code}`),
    violation: () => void seen.push('violation'),
  });
  for (let at = 0; at < bytes.length; at += step) parser.push(bytes.subarray(at, at + step));
  return seen;
}

describe('frames of a client', () => {
  it.each([1, 2, 3, 7, 1_000_000])('are read in pieces of %i bytes', (step) => {
    const long = 'y'.repeat(300);
    const frames = [
      clientFrame(Buffer.from('one'), 1),
      clientFrame(Buffer.from('two '), 2, false),
      clientFrame(Buffer.from('p'), 9),
      clientFrame(Buffer.from(long), 0),
      clientFrame(Buffer.alloc(0)),
      clientFrame(Buffer.from([3, 232]), 8),
      clientFrame(Buffer.from('never'), 2),
    ];
    expect(read(Buffer.concat(frames), step)).toEqual([
      'text',
      'one',
      'binary',
      'ping p',
      `two ${long}`,
      'binary',
      '',
      'close 1000',
    ]);
  });

  it.each([
    ['without a mask', Buffer.from([0x82, 1, 1])],
    ['with a reserved bit', Buffer.from([0xc2, 0x81, 0, 0, 0, 0, 1])],
    ['of an unknown kind', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ['that goes on with nothing', clientFrame(Buffer.from('x'), 0)],
    ['of control in pieces', clientFrame(Buffer.from('x'), 9, false)],
    ['of control that is long', clientFrame(Buffer.alloc(126), 9)],
    ['longer than a number', Buffer.from([0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])],
  ])('break the protocol: one %s', (_, frame) => {
    expect(read(Buffer.concat([frame, clientFrame(Buffer.from('never'))]), 1)).toEqual(['violation']);
  });

  it('of any announced length cost no memory', () => {
    const head = Buffer.from([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(read(Buffer.concat([head, Buffer.alloc(1_000)]), 100)).toEqual(['binary']);
  });
});
