import { afterEach } from '@jest/globals';
import { describeImagePullRecordsContract } from '@podwright/image-pull-records-interface/contract';
import { RecordsBench } from './fixtures/records-bench.js';

const benches: RecordsBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

describeImagePullRecordsContract('FileImagePullRecords', async () => {
  const bench = await RecordsBench.make();
  benches.push(bench);
  return {
    records: bench.records,
    restart: async (present = {}) => {
      bench.present = present;
      return bench.restart();
    },
    pass: (ms) => bench.clock.advance(ms),
    now: () => bench.clock.now(),
  };
});
