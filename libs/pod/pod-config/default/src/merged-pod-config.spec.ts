import { createMemoryLogger } from '@podwright/logging';
import { describePodConfigContract } from '@podwright/pod-config-interface/contract';
import { MergedPodConfig } from './merged-pod-config.js';

describePodConfigContract('MergedPodConfig', async ({ sources, events, clock }) => {
  const fromNode = sources.filter(({ source }) => source !== 'api');
  const fromApi = sources.find(({ source }) => source === 'api');
  return { podConfig: new MergedPodConfig(fromNode, fromApi, events, clock, createMemoryLogger()) };
});
