import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { RuntimeState } from '@podwright/container-runtime-interface';
import { describeRuntimeStateContract } from '@podwright/container-runtime-interface/contract';
import type { RuntimeStateHarness } from '@podwright/container-runtime-interface/contract';
import { createStateHarness } from '../fixtures/contract-harness.js';

const broken = (
  replaced: (good: RuntimeState) => Partial<RuntimeState>,
): ((good: RuntimeStateHarness) => Partial<RuntimeStateHarness>) => breaksIn('state', replaced);

describeContractProof(
  'RuntimeState',
  (create) => describeRuntimeStateContract('a broken RuntimeState', create),
  createStateHarness,
  {
    'is not well before the start': {
      'the runtime is': broken(() => ({ runtimeErrors: () => [] })),
      'the network is': broken(() => ({ networkErrors: () => [] })),
    },
    'is well as soon as it has started, and can be stopped twice': {
      'it does not wait for the first answer': broken((good) => ({
        start: () => {
          void good.start();
          return Promise.resolve();
        },
      })),
      'a second stop is refused': refusesSecondStop('state'),
    },
    'starts without a runtime, and tells when it comes': {
      'it does not start': broken((good) => ({
        start: () => good.start().then(() => Promise.reject(new Error(good.runtimeErrors()[0]))),
      })),
      'all is well without one': broken(() => ({ runtimeErrors: () => [] })),
      'it never looks again': broken((good) => {
        let first: readonly string[] | undefined;
        return { runtimeErrors: () => (first ??= good.runtimeErrors()) };
      }),
      'nobody is told': broken(() => ({ watch: () => () => undefined })),
      'it is told twice': broken((good) => ({
        watch: (listener) => {
          const leave = [listener, () => listener()].map((each) => good.watch(each));
          return () => leave.forEach((each) => each());
        },
      })),
      'nobody can leave': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
      'the reason is another': broken((good) => ({
        runtimeErrors: () => good.runtimeErrors().map((reason) => reason.replace('is down', 'is away')),
      })),
    },
    'adds what the health checks say, until they are taken back': {
      'it asks none': broken(() => ({ addHealthCheck: () => () => undefined })),
      'it does not name the check': broken((good) => ({
        addHealthCheck: (_name, check) => good.addHealthCheck('something', check),
      })),
      'none can be taken back': broken((good) => ({
        addHealthCheck: (name, check) => {
          good.addHealthCheck(name, check);
          return () => undefined;
        },
      })),
    },
  },
);
