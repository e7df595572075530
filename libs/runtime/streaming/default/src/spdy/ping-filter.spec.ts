import { describe, expect, it } from '@jest/globals';
import { dataHead, pingFrame, rstStream } from './frames.js';
import { PingFilter } from './ping-filter.js';

const data = Buffer.concat([dataHead(1, 20), pingFrame(99), Buffer.alloc(8, 7)]);
const sent = Buffer.concat([data, pingFrame(1), rstStream(3), pingFrame(3), dataHead(5, 0, true), pingFrame(5)]);
const wanted = Buffer.concat([data, rstStream(3), dataHead(5, 0, true)]);

describe('PingFilter', () => {
  it.each([1, 2, 3, 5, 8, 11, 13, 100])('takes out pings, not what looks like one in data, in pieces of %i', (size) => {
    const filter = new PingFilter();
    const pings: Buffer[] = [];
    const passed: Buffer[] = [];
    for (let at = 0; at < sent.length; at += size) {
      const take = (frame: Buffer): boolean => pings.push(frame) > 0;
      passed.push(...filter.push(sent.subarray(at, at + size), take));
    }
    expect(Buffer.concat(passed)).toEqual(wanted);
    expect(pings).toEqual([pingFrame(1), pingFrame(3), pingFrame(5)]);
    expect(filter.end()).toHaveLength(0);
  });

  it.each([1, 7, 100])('lets through what nobody takes, in pieces of %i', (size) => {
    const filter = new PingFilter();
    const passed: Buffer[] = [];
    for (let at = 0; at < sent.length; at += size)
      passed.push(...filter.push(sent.subarray(at, at + size), () => false));
    expect(Buffer.concat(passed)).toEqual(sent);
  });

  it('keeps no other bytes back', () => {
    const filter = new PingFilter();
    const chunk = Buffer.from('hi');
    expect(filter.push(chunk, () => true)).toEqual([chunk]);
    const half = pingFrame(1).subarray(0, 6);
    const other = new PingFilter();
    expect(other.push(half, () => true)).toEqual([]);
    expect(other.end()).toEqual(half);
  });
});
