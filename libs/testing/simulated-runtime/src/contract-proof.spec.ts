import { describeContractProof } from '@podwright/contract';
import { ContainerEventType } from '@podwright/cri-client-interface';
import { describeCriContract } from '@podwright/cri-client-interface/contract';
import { broken, refuse, streaming } from './fixtures/broken-runtime.js';
import { callPromises } from './fixtures/call-promises.js';
import { containerPromises } from './fixtures/container-promises.js';
import {
  capabilities,
  createContractHarness,
  createContractHarnessWithoutEvents,
} from './fixtures/contract-harness.js';
import { imagePromises } from './fixtures/image-promises.js';
import { sandboxPromises } from './fixtures/sandbox-promises.js';

const promises = { ...sandboxPromises, ...containerPromises, ...callPromises, ...imagePromises };

describeContractProof(
  'a CRI runtime',
  (create) => describeCriContract('a broken runtime', { capabilities, create }),
  createContractHarness,
  {
    ...promises,
    'streams the events of a container in their order, until the reader leaves (needs a runtime with events)': {
      'one is lost': streaming((event) =>
        event.containerEventType === ContainerEventType.CONTAINER_STARTED_EVENT ? [] : [event],
      ),
      'one comes twice': streaming((event) => [event, event]),
      'the sandbox is lost': streaming(({ podSandboxStatus: _status, ...event }) => [
        { ...event, podSandboxStatus: undefined },
      ]),
      'the time is in milliseconds': streaming((event) => [{ ...event, createdAt: event.createdAt / 1_000_000n }]),
      'the reader cannot leave': broken((good) => ({
        getContainerEvents: async function* (...args) {
          try {
            yield* good.getContainerEvents(...args);
          } finally {
            await refuse('cancelled');
          }
        },
      })),
    },
  },
);

describeContractProof(
  'a CRI runtime without events',
  (create) =>
    describeCriContract('a broken runtime', { capabilities: { ...capabilities, containerEvents: false }, create }),
  createContractHarnessWithoutEvents,
  {
    ...promises,
    'says that it has no event stream (needs a runtime without events)': {
      'the stream is empty': broken(() => ({ getContainerEvents: async function* () {} })),
      'the error is another one': broken(() => ({
        getContainerEvents: async function* () {
          await refuse('internal');
        },
      })),
    },
  },
);
