import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { createMemoryLogger } from './memory-logger.js';
import { FailureLog } from './failure-log.js';

describe('FailureLog', () => {
  it('says once per kind that something fails, reminds, and says when it is over', async () => {
    const clock = new VirtualClock();
    const memory = createMemoryLogger(0);
    const failureLog = new FailureLog(memory, clock, { remindMs: 60_000 });
    failureLog.over('works again');
    for (let i = 0; i < 7; i++) {
      failureLog.failed(i === 3 ? 'forbidden' : 'unavailable', 'no lease', { try: i });
      await clock.advance(10_000);
    }
    expect(memory.entries.map(({ fields }) => fields)).toEqual([{ try: 0 }, { try: 3 }, { try: 6, failures: 7 }]);
    failureLog.over('works again');
    failureLog.over('works again');
    expect(memory.entries.at(-1)).toMatchObject({ message: 'works again', fields: { failures: 7, lastedMs: 70_000 } });
    expect(memory.messages('info')).toHaveLength(1);
    failureLog.failed('unavailable', 'no lease');
    expect(memory.messages('error')).toHaveLength(4);
  });
});
