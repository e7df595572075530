import { expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { calmLog } from './calm-log.js';

it('lets a few lines of each message pass, whatever node says it, and then tells how many it left out', async () => {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const calm = calmLog(logger, clock);
  const complain = (volume: number): void =>
    calm.with({ node: `n-${volume}` }).error(`volume "v-${volume}" is not mounted`);
  for (let volume = 0; volume < 100; volume++) complain(volume);
  calm.warn('something else');
  expect(logger.messages('error')).toEqual([0, 1, 2, 3, 4].map((volume) => `volume "v-${volume}" is not mounted`));
  expect(logger.messages('warning')).toEqual(['something else']);
  await clock.advance(10_000);
  complain(200);
  complain(201);
  const [first, second] = logger.entries.slice(-2);
  expect(first?.fields).toMatchObject({ node: 'n-200', leftOut: 95 });
  expect(second?.fields).not.toHaveProperty('leftOut');
});
