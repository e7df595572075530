import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { labLayout } from './layout.js';
import { clashes, networkOf, parseRoutes, renderCniConfig, slotOrder } from './network.js';

// As on a machine with 10.88.0.0/16 taken by another bridge.
const ROUTES = `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0
other\t0000580A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
`;

describe('the choice of a subnet', () => {
  it('reads the routing table', () => {
    expect(parseRoutes(ROUTES)).toEqual([
      { destination: 0, mask: 0 },
      { destination: 0x0a580000, mask: 0xffff0000 },
    ]);
  });

  it('avoids routes that contain the subnet or lie in it, but not the default route', () => {
    const routes = parseRoutes(ROUTES);
    expect(clashes('10.88.7.0/24', routes)).toBe(true);
    expect(clashes('10.89.7.0/24', routes)).toBe(false);
    expect(clashes('10.89.7.0/24', [{ destination: 0x0a590780, mask: 0xffffff80 }])).toBe(true);
    expect(clashes('10.89.7.0/24', [{ destination: 0x0a590800, mask: 0xffffff00 }])).toBe(false);
  });

  it('gives each slot its own device and subnet, in names the kernel takes', () => {
    expect(networkOf(0)).toEqual({ bridge: 'pwlab88-0', subnet: '10.88.0.0/24', gateway: '10.88.0.1' });
    expect(networkOf(2047)).toEqual({ bridge: 'pwlab95-255', subnet: '10.95.255.0/24', gateway: '10.95.255.1' });
    const all = slotOrder('dev').map((slot) => networkOf(slot));
    expect(new Set(all.map(({ subnet }) => subnet)).size).toBe(2048);
    expect(all.every(({ bridge }) => bridge.length < 16)).toBe(true);
  });

  it('starts with the same slot for the same name', () => {
    expect(slotOrder('dev')[0]).toBe(slotOrder('dev')[0]);
    expect(slotOrder('dev')[0]).not.toBe(slotOrder('other')[0]);
  });
});

describe('renderCniConfig', () => {
  it('has a port mapper only where iptables works', () => {
    const types = (portmap: boolean): string[] => {
      const parsed: unknown = JSON.parse(renderCniConfig(labLayout('x'), networkOf(3), portmap));
      return (parsed as { plugins: { type: string }[] }).plugins.map(({ type }) => type);
    };
    expect(types(true)).toEqual(['bridge', 'portmap']);
    expect(types(false)).toEqual(['bridge']);
  });
});

describe('labLayout', () => {
  it('refuses names that leave its folder or make sockets too long', () => {
    expect(() => labLayout('../x')).toThrow('lab name');
    expect(() => labLayout('a'.repeat(25))).toThrow('lab name');
    const longest = labLayout('a'.repeat(24));
    expect(longest.socket.length).toBeLessThan(100);
    expect(path.join(longest.crioAttachDir, '0'.repeat(64), 'attach').length).toBeLessThan(108);
  });
});
