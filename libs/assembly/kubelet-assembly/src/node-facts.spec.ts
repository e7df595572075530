import { describe, expect, it } from '@jest/globals';
import os from 'node:os';
import { cgroupVersion, readNodeFacts } from './node-facts.js';

describe('node facts', () => {
  it('the name is that of the host, lower case, or what the flag says, trimmed', async () => {
    expect((await readNodeFacts({ hostnameOverride: '', nodeIp: '' })).nodeName).toBe(os.hostname().toLowerCase());
    expect((await readNodeFacts({ hostnameOverride: ' Node-7 ', nodeIp: '' })).nodeName).toBe('node-7');
  });

  it('an override of blanks is no name', async () => {
    await expect(readNodeFacts({ hostnameOverride: ' ', nodeIp: '' })).rejects.toThrow(
      'failed to run Kubelet: empty hostname is invalid',
    );
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

  it('an address of IPv6 is found where that is preferred, and the resolver is asked before the routes', async () => {
    const network = {
      addresses: async () => [
        { interfaceName: 'eth0', address: '192.0.2.7', internal: false },
        { interfaceName: 'eth0', address: '2001:db8::7', internal: false },
        { interfaceName: 'eth1', address: '198.51.100.7', internal: false },
      ],
      defaultRoutes: async () => [
        { interfaceName: 'eth0', family: 4 as const },
        { interfaceName: 'eth0', family: 6 as const },
      ],
      lookup: async (name: string) => (name === 'named' ? ['198.51.100.7'] : []),
    };
    const of = async (hostnameOverride: string, nodeIp: string): Promise<readonly string[]> =>
      (await readNodeFacts({ hostnameOverride, nodeIp }, network)).nodeIps;
    expect(await of('n1', '')).toEqual(['192.0.2.7']);
    expect(await of('n1', '::')).toEqual(['2001:db8::7']);
    expect(await of('named', '')).toEqual(['198.51.100.7']);
    expect(await readNodeFacts({ hostnameOverride: 'n1', nodeIp: '::, x' }, network)).toMatchObject({
      givenNodeIps: ['::'],
      invalidNodeIps: ['x'],
    });
  });

  it("two addresses of one family are refused in upstream's words", async () => {
    await expect(readNodeFacts({ hostnameOverride: 'n1', nodeIp: '192.0.2.1,192.0.2.2' })).rejects.toThrow(
      'failed to run Kubelet: bad --node-ip "192.0.2.1,192.0.2.2": must contain either a single IP or a dual-stack pair of IPs',
    );
  });

  it('memory and cores are numbers of the machine, and the cgroup version is one of two', async () => {
    const { memoryBytes, cores } = await readNodeFacts({ hostnameOverride: '', nodeIp: '' });
    expect(memoryBytes).toBeGreaterThan(2 ** 20);
    expect(cores).toBeGreaterThan(0);
    expect([1, 2]).toContain(await cgroupVersion());
  });
});
