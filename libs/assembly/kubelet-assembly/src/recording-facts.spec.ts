import { expect, it } from '@jest/globals';
import { defaultKubeletConfiguration } from '@podwright/kubelet-configuration';
import { readNodeFacts } from './node-facts.js';
import { recordingFacts } from './recording-facts.js';

it('tells of the configuration without the headers of the manifest URL', async () => {
  const configuration = defaultKubeletConfiguration({
    staticPodURLHeader: { Authorization: ['secret'] },
    port: 10_999,
  });
  const process = { configuration, flags: {}, version: 'v1' };
  const machine = await readNodeFacts({ hostnameOverride: 'n', nodeIp: '192.0.2.7' });
  const facts = recordingFacts({ program: 'kubelet' }, process, {}, machine);
  expect(facts.configuration).toMatchObject({ port: 10_999, staticPodURLHeader: { Authorization: ['<masked>'] } });
  expect(JSON.stringify(facts)).not.toContain('secret');
});
