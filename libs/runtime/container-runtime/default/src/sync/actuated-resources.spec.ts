import { expect, it } from '@jest/globals';
import { createRuntimeHarness } from '../fixtures/runtime-harness.js';
import { container, podWith } from '../fixtures/records.js';
import { actuatedResources } from './actuated-resources.js';

const podLevel = { requests: { cpu: '50m' }, limits: { cpu: '1', memory: '64Mi', 'hugepages-2Mi': '4Mi' } };

it.each([
  [undefined, podLevel, { limits: { cpu: '1', memory: '64Mi' } }],
  [
    { requests: { cpu: '10m' }, limits: { memory: '8Mi' } },
    podLevel,
    { requests: { cpu: '10m' }, limits: { cpu: '1', memory: '8Mi' } },
  ],
  [{ limits: { cpu: '0' } }, podLevel, { limits: { cpu: '1', memory: '64Mi' } }],
  [{ requests: { cpu: '1' } }, { limits: { cpu: '0' } }, { requests: { cpu: '1' } }],
  [undefined, { requests: { cpu: '1' } }, {}],
  [{ limits: { cpu: '1' } }, undefined, { limits: { cpu: '1' } }],
])('of a container with %j in a pod with %j are %j', (resources, pod, expected) => {
  expect(actuatedResources(resources === undefined ? {} : { resources }, pod)).toEqual(expected);
});

it.each([
  [true, { limits: { cpu: '1', memory: '64Mi' } }],
  [false, {}],
])('are on record before the container starts; with pod-level resize (%s) %j', async (podLevelResize, expected) => {
  const recorded: unknown[] = [];
  const harness = await createRuntimeHarness({
    config: { podLevelResize },
    deps: { actuated: { setContainer: async (...record) => void recorded.push(record) } },
  });
  await harness.sync(podWith({ containers: [container('app')], resources: podLevel }));
  await harness.remove();
  expect(recorded).toEqual([['uid-1', 'app', expected]]);
});
