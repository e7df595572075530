import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { LogRotation } from '@podwright/log-rotation-interface';
import { describeLogRotationContract } from '@podwright/log-rotation-interface/contract';
import type { LogRotationHarness } from '@podwright/log-rotation-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

type Broken = (good: LogRotationHarness) => Partial<LogRotationHarness>;

const broken = (replaced: (good: LogRotation, harness: LogRotationHarness) => Partial<LogRotation>): Broken =>
  breaksIn('rotation', replaced);
const rotatesNothing = broken(() => ({ rotateDueLogs: () => Promise.resolve() }));

/** One that does something else with the files of `app`, once they were rotated. */
const afterRotation = (change: (files: readonly string[], harness: LogRotationHarness) => Promise<void>): Broken =>
  broken((good, harness) => ({
    rotateDueLogs: async () => {
      await good.rotateDueLogs();
      await change(await harness.files('app'), harness);
    },
  }));
const puts = (file: string, text: string): Broken => afterRotation((_files, { put }) => put('app', file, text));

const afterLast = (change: (newest: string, harness: LogRotationHarness) => Promise<void>): Broken =>
  afterRotation(async (files, harness) => {
    const newest = files.at(-1) ?? '';
    if ((await harness.content('app', newest)).startsWith('d')) await change(newest, harness);
  });

async function rename({ content, put, remove }: LogRotationHarness, from: string, to: string): Promise<void> {
  await put('app', to, await content('app', from));
  await remove('app', from);
}

describeContractProof(
  'LogRotation',
  (create) => describeLogRotationContract('a broken LogRotation', create),
  contractHarness(),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('rotation'),
      'its health cannot be asked for': broken(() => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
      'a timer is left': () => ({ pendingTimers: () => 1 }),
    },
    'leaves a log alone that is smaller than its limit, and that of a container that has ended': {
      'the limit is lower by a byte': ({ write }) => ({
        write: (name, text) => write(name, name === 'small' ? `${text}a` : text),
      }),
      'it rotates whatever the state of the container': ({ addContainer }) => ({
        addContainer: (name) => addContainer(name, 'running'),
      }),
    },
    'gives a log that has reached its limit another name, and the container a new one; nothing is lost': {
      'it rotates nothing': rotatesNothing,
      'the name has no time': afterRotation((files, harness) => rename(harness, files[1] ?? '', '0.log.1')),
      'the new log begins with something else': puts('0.log', 'old\n'),
      'what was written is lost': afterRotation((files, { put }) => put('app', files[1] ?? '', '')),
    },
    'compresses all but the newest of the rotated ones, and keeps no more than it may, the oldest go': {
      'it keeps one more': puts('0.log.20200101-000001.gz', 'old'),
      'it compresses none': afterRotation(async (files, harness) => {
        for (const file of files) if (file.endsWith('.gz')) await rename(harness, file, file.slice(0, -3));
      }),
      'it compresses all': afterRotation((files, harness) => rename(harness, files.at(-1) ?? '', `${files.at(-1)}.gz`)),
      'what was compressed is lost': afterRotation(async (files, { put }) => {
        for (const file of files) if (file.endsWith('.gz')) await put('app', file, '');
      }),
      'the newest is lost': afterLast((newest, { put }) => put('app', newest, '')),
      'the log has no name': afterLast((_newest, harness) => rename(harness, '0.log', '0')),
    },
    'has a log that is not there made again': {
      'it leaves that as it is': rotatesNothing,
    },
    'gives the log its name back when the runtime does not open a new one': {
      'it keeps the other name': afterRotation((_files, harness) => rename(harness, '0.log', '0.log.20260304-050607')),
      'what was written is lost': puts('0.log', ''),
    },
    'puts right what a kubelet left that died in the middle of a rotation': {
      'half a file stays': puts('0.log.20200101-000002.tmp', 'half a file'),
      'two of one time stay': puts('0.log.20200101-000001.gz', 'whole'),
      'what was packed in part is lost': puts('0.log.20200101-000002.gz', ''),
    },
    'looks each ten seconds once started, and not after stop': {
      'it does not look by itself': broken(() => ({ start: () => Promise.resolve() })),
      'stop does nothing': broken(() => ({ stop: () => Promise.resolve() })),
      'it rotates after the stop': (good) => {
        let stopped = false;
        const stop = (): Promise<void> => {
          stopped = true;
          return good.rotation.stop();
        };
        return {
          rotation: breaks(good.rotation, { stop }),
          pass: async (ms) => {
            await good.pass(ms);
            if (stopped) await good.put('app', '0.log.20260304-050607', 'rotated');
          },
        };
      },
    },
    'removes a log with all that was rotated from it, and nothing of others': {
      'it leaves the log': broken(() => ({ clean: () => Promise.resolve() })),
      'it leaves what was rotated': broken((_good, { remove }) => ({ clean: () => remove('app', '0.log') })),
      'it removes that of others': broken((good, { remove }) => ({
        clean: (path) => good.clean(path).then(() => remove('app', '1.log')),
      })),
      'a log that is not there is refused': broken((good) => {
        let calls = 0;
        return { clean: (path) => (calls++ === 0 ? good.clean(path) : Promise.reject(new Error('no such log'))) };
      }),
      'a folder that is not there is refused': broken((good) => ({
        clean: (path) => (path.startsWith('/nonexistent') ? Promise.reject(new Error('ENOENT')) : good.clean(path)),
      })),
    },
  },
);
