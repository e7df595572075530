import { describe, expect, it } from '@jest/globals';
import os from 'node:os';
import { cgroupVersion, readNodeFacts } from './node-facts.js';

describe('node facts', () => {
  it('the name is that of the host, lower case, or what the flag says, trimmed', async () => {
    expect((await readNodeFacts({ hostnameOverride: '', nodeIp: '' })).nodeName).toBe(os.hostname().toLowerCase());
    expect((await readNodeFacts({ hostnameOverride: ' Node-7 ', nodeIp: '' })).nodeName).toBe('node-7');
  });

  it('an override of blanks is no name', async () => {
    await expect(readNodeFacts({ hostnameOverride: ' ', nodeIp: '' })).rejects.toThrow('the node has no name');
  });

  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['192.0.2.7, 2001:db8::7', ['192.0.2.7', '2001:db8::7']],
  ])('the addresses are those of the flag %j', async (nodeIp, addresses) => {
    expect((await readNodeFacts({ hostnameOverride: '', nodeIp })).nodeIps).toEqual(addresses);
  });

  it.each(['', '0.0.0.0', '::'])(
    'without an address in the flag (%j) one of the machine is found, never loopback',
    async (nodeIp) => {
      const { nodeIps } = await readNodeFacts({ hostnameOverride: '', nodeIp });
      expect(nodeIps.length).toBeLessThanOrEqual(1);
      expect(nodeIps.filter((address) => address.startsWith('127.'))).toEqual([]);
    },
  );

  it('memory and cores are numbers of the machine, and the cgroup version is one of two', async () => {
    const { memoryBytes, cores } = await readNodeFacts({ hostnameOverride: '', nodeIp: '' });
    expect(memoryBytes).toBeGreaterThan(2 ** 20);
    expect(cores).toBeGreaterThan(0);
    expect([1, 2]).toContain(await cgroupVersion());
  });
});
