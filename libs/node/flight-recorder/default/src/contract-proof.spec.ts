import { breaksIn, describeContractProof } from '@podwright/contract';
import type { FlightRecorderHarness } from '@podwright/flight-recorder-interface/contract';
import { describeFlightRecorderContract } from '@podwright/flight-recorder-interface/contract';
import { createHarness } from './fixtures/contract-harness.js';

type Lines = Awaited<ReturnType<FlightRecorderHarness['lines']>>;
const showing =
  (change: (lines: Lines) => Lines) =>
  ({ lines, linesAfterKill }: FlightRecorderHarness): Partial<FlightRecorderHarness> => ({
    lines: async () => change(await lines()),
    linesAfterKill: async () => change(await linesAfterKill()),
  });

const showingRecord =
  (change: (lines: Lines) => Lines) =>
  ({ linesOfRecord }: FlightRecorderHarness): Partial<FlightRecorderHarness> => ({
    linesOfRecord: async (meanwhile) => change(await linesOfRecord(meanwhile)),
  });

describeContractProof(
  'FlightRecorder',
  (create) => describeFlightRecorderContract('a broken FlightRecorder', create),
  createHarness,
  {
    'records calls, failures and decisions in their order, after a header': {
      'the header is missing': showing((lines) => lines.slice(1)),
      'decisions are missing': showing((lines) => lines.filter(({ t }) => t !== 'decision')),
      'failures are answers': showing((lines) => lines.map((line) => ({ ...line, error: undefined }) as never)),
    },
    'keeps an answer that repeats only once': {
      'it is kept twice': showing((lines) => lines.map((line) => ({ ...line, same: undefined }) as never)),
      'another one is taken for it': showing((lines) => lines.map((line) => ({ ...line, same: true }))),
    },
    'keeps no secret': {
      'it is kept': ({ lines, secret }) => ({ lines: async () => [...(await lines()), secret as never] }),
    },
    'records from now on, after a snapshot of what was there before, without a secret': {
      'it begins without a snapshot': showingRecord((lines) => lines.filter((line) => !('snapshot' in line))),
      'what was there before looks new': showingRecord((lines) =>
        lines.map((line) => Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'snapshot')) as never),
      ),
      'it does not end in order': showingRecord((lines) => lines.filter(({ t }) => t !== 'end')),
      'a secret is in it': ({ linesOfRecord, secret }) => ({
        linesOfRecord: async (meanwhile) => (await linesOfRecord(meanwhile)).map((line) => ({ ...line, secret })),
      }),
    },
    'leaves what it has recorded to a reader after a kill': {
      'nothing is on disk before a stop': showing((lines) => lines.slice(0, 1)),
      'nobody knows the file': breaksIn('flightRecorder', () => ({ file: () => undefined })),
    },
    'ends the recording at a stop, which may come twice': {
      'it has no end': showing((lines) => lines.filter(({ t }) => t !== 'end')),
      'a second stop is refused': breaksIn('flightRecorder', (good) => {
        let stopped = false;
        return {
          stop: () => {
            if (stopped) return Promise.reject(new Error('stopped'));
            stopped = true;
            return good.stop();
          },
        };
      }),
    },
  },
);
