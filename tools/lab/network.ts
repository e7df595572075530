import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exists } from './packages.js';
import { errorCode, unlessMissing } from './commands.js';
import { slotsDir, type LabLayout } from './layout.js';

/** Addresses of a lab: pods get addresses from the subnet, the bridge gets the first one. */
export interface LabNetwork {
  readonly bridge: string;
  readonly subnet: string;
  readonly gateway: string;
}

export interface Route {
  readonly destination: number;
  readonly mask: number;
}

const FIRST_OCTET = 88;
const LAST_OCTET = 95;

/** The n-th block, 0 to 2047, among 10.88.0.0/24 to 10.95.255.0/24. The device name must stay below 16 bytes. */
export function networkOf(slot: number): LabNetwork {
  const second = FIRST_OCTET + Math.floor(slot / 256);
  const third = slot % 256;
  return {
    bridge: `pwlab${second}-${third}`,
    subnet: `10.${second}.${third}.0/24`,
    gateway: `10.${second}.${third}.1`,
  };
}

/** Slots in the order of the attempts; the first depends on the name, so that a name usually keeps its subnet. */
export function slotOrder(name: string): number[] {
  const count = (LAST_OCTET - FIRST_OCTET + 1) * 256;
  const start = createHash('sha256').update(name).digest().readUInt32BE(0) % 256;
  return Array.from({ length: count }, (_, index) => (start + index) % count);
}

/** Parses /proc/net/route, whose addresses are hexadecimal numbers in the byte order of the machine. */
export function parseRoutes(text: string): Route[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/))
    .filter((columns) => columns.length > 7)
    .map((columns) => ({ destination: littleEndian(columns[1] ?? ''), mask: littleEndian(columns[7] ?? '') }));
}

/** Whether a route other than the default one covers part of the subnet. */
export function clashes(subnet: string, routes: readonly Route[]): boolean {
  const [address = '', bits = '0'] = subnet.split('/');
  const start = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const mask = maskOf(Number(bits));
  return routes.some(
    (route) => route.mask !== 0 && and(start, and(mask, route.mask)) === and(route.destination, and(mask, route.mask)),
  );
}

/** Reserves a free block for the lab. */
export async function claimNetwork(name: string): Promise<LabNetwork> {
  const routes = parseRoutes(await readFile('/proc/net/route', 'utf8'));
  for (const slot of slotOrder(name)) {
    const network = networkOf(slot);
    if (clashes(network.subnet, routes) || (await exists(`/sys/class/net/${network.bridge}`))) continue;
    if (await claim(path.join(slotsDir, network.bridge), name)) return network;
  }
  throw new Error('no free subnet for a lab between 10.88.0.0 and 10.95.255.0');
}

export async function releaseNetworks(name: string): Promise<void> {
  for (const bridge of (await unlessMissing(readdir(slotsDir))) ?? []) {
    const file = path.join(slotsDir, bridge);
    if ((await unlessMissing(readFile(file, 'utf8'))) === name) await rm(file, { force: true });
  }
}

/** The bridges that a lab has reserved, even when its process died before it wrote anything else. */
export async function claimedBridges(name: string): Promise<string[]> {
  const bridges: string[] = [];
  for (const bridge of (await unlessMissing(readdir(slotsDir))) ?? []) {
    if ((await unlessMissing(readFile(path.join(slotsDir, bridge), 'utf8'))) === name) bridges.push(bridge);
  }
  return bridges;
}

/**
 * The CNI network list: without masquerading, because pods only talk to this machine; with port mappings where iptables
 * works.
 */
export function renderCniConfig(layout: LabLayout, network: LabNetwork, portmap: boolean): string {
  const bridge = {
    type: 'bridge',
    bridge: network.bridge,
    isGateway: true,
    ipMasq: false,
    hairpinMode: true,
    ipam: {
      type: 'host-local',
      dataDir: layout.cniDataDir,
      ranges: [[{ subnet: network.subnet, gateway: network.gateway }]],
      routes: [{ dst: '0.0.0.0/0' }],
    },
  };
  const plugins = portmap ? [bridge, { type: 'portmap', capabilities: { portMappings: true }, snat: false }] : [bridge];
  // CRI-O checks a network after it was set up; the bridge's address changes when another pod joins, and the check fails.
  return JSON.stringify({ cniVersion: '0.4.0', name: layout.network, disableCheck: true, plugins }, undefined, 2);
}

async function claim(file: string, name: string): Promise<boolean> {
  for (;;) {
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await writeFile(file, name, { flag: 'wx' });
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      // Otherwise another lab has ended just now, and has removed the empty folder.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

function littleEndian(hex: string): number {
  return Buffer.from(hex, 'hex').readUInt32LE(0);
}

function maskOf(bits: number): number {
  return bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
}

function and(left: number, right: number): number {
  return (left & right) >>> 0;
}
