import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { createMemoryLogger } from './memory-logger.js';
import { TroubleLog } from './trouble-log.js';

describe('TroubleLog', () => {
  it('says once per kind that something fails, reminds, and says when it is over', async () => {
    const clock = new VirtualClock();
    const memory = createMemoryLogger(0);
    const trouble = new TroubleLog(memory, clock, { remindMs: 60_000 });
    trouble.over('works again');
    for (let i = 0; i < 7; i++) {
      trouble.failed(i === 3 ? 'forbidden' : 'unavailable', 'no lease', { try: i });
      await clock.advance(10_000);
    }
    expect(memory.entries.map(({ fields }) => fields)).toEqual([{ try: 0 }, { try: 3 }, { try: 6, failures: 7 }]);
    trouble.over('works again');
    trouble.over('works again');
    expect(memory.entries.at(-1)).toMatchObject({ message: 'works again', fields: { failures: 7, lastedMs: 70_000 } });
    expect(memory.messages('info')).toHaveLength(1);
    trouble.failed('unavailable', 'no lease');
    expect(memory.messages('error')).toHaveLength(4);
  });
});
