import type {
  ContainerStatusResponse,
  ListContainersResponse,
  ListPodSandboxResponse,
} from '@podwright/cri-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import * as check from '../../../libs/runtime/cri-client/default/src/answer-checks.js';
import {
  imageServiceMethods,
  runtimeServiceMethods,
} from '../../../libs/runtime/cri-client/default/src/generated/client-codecs.js';
import { podOfContainer, runningPodOf } from '../../../libs/runtime/container-gc/default/src/pod-of-container.js';
import { hashOf, restartCountOf } from '../../../libs/runtime/container-runtime/default/src/pod-records/labels.js';
import { sampleAnswers } from '../../bench/codec/sample-answers.js';
import { fuzzTarget, refusesAs, refusesInput } from '../fuzz-target.js';
import { messageOf } from '../message-shape.js';

const runtime = Object.values(runtimeServiceMethods);
const methods = [...runtime, ...Object.values(imageServiceMethods)];
const indexOf = (path: string): number => methods.findIndex((method) => method.path === path);
const checks: Readonly<Record<string, (answer: never, request: object) => void>> = {
  version: check.checkVersion,
  runPodSandbox: check.checkRunPodSandbox,
  podSandboxStatus: check.checkPodSandboxStatus,
  createContainer: check.checkCreateContainer,
  containerStatus: check.checkContainerStatus,
  exec: check.checkUrl,
  status: check.checkStatus,
  imageStatus: check.checkImageStatus,
  pullImage: check.checkPullImage,
};
const malformed = refusesAs('RangeError');
const { containers, sandboxes } = sampleAnswers(2, 2, 1);
const seed = (path: string, content: Buffer | undefined): Buffer =>
  Buffer.concat([Buffer.from([2 * indexOf(path)]), content ?? Buffer.alloc(0)]);

export const target = fuzzTarget({
  name: 'cri-answers',
  reads: "each answer of the container runtime, the client's checks, and what labels and annotations say",
  seeds: () => [
    seed(runtimeServiceMethods.listContainers.path, containers[0]),
    seed(runtimeServiceMethods.listPodSandbox.path, sandboxes[0]),
    Buffer.from([1, 6, 0, 4, 4, 3, 97, 98, 99, 0, 1, 5, 200, 1]),
  ],
  run: (input) => {
    const first = input[0] ?? 0;
    const method = methods[(first >> 1) % methods.length];
    if (method === undefined) return;
    const rest = input.subarray(1);
    const logger = createMemoryLogger();
    const answer = method.decode((first & 1) === 0 ? rest : messageOf(rest)) as object;
    checks[method.rpc]?.(answer as never, {});
    for (const container of (answer as Partial<ListContainersResponse>).containers ?? []) {
      podOfContainer(container, logger);
      runningPodOf(container);
      hashOf(container.annotations);
      restartCountOf(container.annotations);
    }
    for (const { labels } of (answer as Partial<ListPodSandboxResponse>).items ?? []) Object.keys(labels).sort();
    restartCountOf((answer as Partial<ContainerStatusResponse>).status?.annotations ?? {});
  },
  // The caller of the decoder makes the KubeletError of a call.
  refuses: (error) =>
    refusesInput(error) || (malformed(error) && (error as Error).message.startsWith('malformed message')),
});
