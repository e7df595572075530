import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { engineSettings } from './engine-settings.js';
import { tendYoungGeneration } from './young-generation.js';

describe('settings of V8', () => {
  it.each([
    ['11.3.244.8-node.39', ['--interrupt-budget=1000000']],
    ['12.4.254.21-node.33', ['--no-maglev', '--heap-growing-percent=30']],
    ['14.6.202.33-node.1', ['--no-maglev', '--heap-growing-percent=30']],
  ])('of version %s are those that it knows', (version, expected) => {
    expect(engineSettings(version)).toEqual(expected);
  });
});

it('lets the space for new objects grow again after V8 has shrunk it, up to 8 MiB', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const set: string[] = [];
  let mebibytes = 8;
  const engine = { youngBytes: () => mebibytes * 1024 * 1024, set: (setting: string) => void set.push(setting) };
  const tended = tendYoungGeneration(clock, engine, stop.signal);
  await clock.advance(5_000);
  expect(set).toEqual(['--semi-space-growth-factor=1']);
  mebibytes = 1;
  await clock.advance(1_000);
  mebibytes = 4;
  await clock.advance(1_000);
  expect(set.slice(1)).toEqual(['--semi-space-growth-factor=2']);
  mebibytes = 8;
  await clock.advance(1_000);
  expect(set.slice(2)).toEqual(['--semi-space-growth-factor=1']);
  stop.abort();
  await tended.catch(() => undefined);
});
