import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { limitRepeats } from './limit-repeats.js';
import { createMemoryLogger } from './memory-logger.js';

const pod = (name: string): object => ({ metadata: { name, namespace: 'ns' } });

describe('limitRepeats', () => {
  it('writes the same message about the same thing once per period and says how many were left out', async () => {
    const clock = new VirtualClock();
    const memory = createMemoryLogger();
    const logger = limitRepeats(memory, clock, 60_000);
    for (let i = 0; i < 5; i++) logger.error('sync failed', { pod: pod('a'), error: new Error(`try ${i}`) });
    logger.error('sync failed', { pod: pod('b') });
    logger.warn('sync failed', { pod: pod('a') });
    logger.with({ logger: 'x' }).error('sync failed', { pod: pod('a') });
    expect(memory.entries.length).toBe(4);
    await clock.advance(60_000);
    logger.error('sync failed', { pod: pod('a') });
    expect(memory.entries.at(-1)?.fields['repeated']).toBe(4);
  });

  it('shares its memory with the loggers made from it', () => {
    const memory = createMemoryLogger();
    const logger = limitRepeats(memory, new VirtualClock());
    for (let i = 0; i < 3; i++) logger.with({ pod: pod('a') }).info('waiting', { key: 'volume' });
    logger.with({ pod: pod('a') }).info('waiting', { key: 'secret' });
    expect(memory.messages()).toEqual(['waiting', 'waiting']);
  });
});

describe('memory logger', () => {
  it('keeps entries by severity and honours its verbosity', () => {
    const logger = createMemoryLogger(3);
    logger.with({ logger: 'a' }).debug(3, 'kept', { x: 1 });
    logger.debug(4, 'not kept');
    logger.warn('careful');
    expect(logger.entries[0]).toEqual({ severity: 'info', level: 3, message: 'kept', fields: { logger: 'a', x: 1 } });
    expect(logger.messages('warning')).toEqual(['careful']);
    logger.clear();
    expect(logger.entries).toEqual([]);
  });
});
