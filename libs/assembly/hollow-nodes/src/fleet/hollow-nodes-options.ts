import { isIP } from 'node:net';
import { KubeletError } from '@podwright/errors';
import type { KubeTransport } from '@podwright/kube-client-interface';
import type { SimulatedKubeletOptions } from '@podwright/kubelet-assembly';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { HollowBehaviour } from '../behaviour/hollow-behaviour.js';
import type { HollowNode } from '../node/hollow-node.js';

export interface HollowNodesOptions {
  /** How many. */
  readonly nodes: number;
  /**
   * The connection to the API server, which all nodes share, or that of each node by its name. The caller starts and
   * stops it.
   */
  readonly transport: KubeTransport | ((nodeName: string) => KubeTransport);
  /** The nodes are called PREFIX-0, PREFIX-1 and so on. Default `hollow`. */
  readonly namePrefix?: string;
  /** Capacity of a node, in pods. Default 110. */
  readonly podsPerNode?: number;
  /** Default: every container starts at once and runs until it is stopped. */
  readonly behaviour?: HollowBehaviour;
  /** Of all choices that the behaviour leaves open. Default 1. */
  readonly seed?: number | string;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: warnings and errors on stderr. */
  readonly logger?: Logger;
  /** Folder for the files of pods; must be empty or absent. Default: one in the system's folder for temporary files. */
  readonly dataDir?: string;
  /** The most nodes that start at the same time. Default 16. */
  readonly startsAtOnce?: number;
  /** Fields of the KubeletConfiguration that all nodes have. */
  readonly configuration?: SimulatedKubeletOptions['configuration'];
  /** The kubelets' own servers, one port for each node. Default: none. */
  readonly servers?: HollowServers;
  /** Called for each node before it starts. */
  readonly onStart?: (node: HollowNode) => void;
  /** Called when a node begins to fail and when it is back. */
  readonly onFault?: (node: HollowNode) => void;
}

/** Where the nodes answer `kubectl logs` and the like. */
export interface HollowServers {
  /** The address of this machine that the API server reaches. */
  readonly address: string;
  /** The first node's port; the next node has the next one. */
  readonly firstPort: number;
  /** Files of the certificate and key that all nodes serve with. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of clients that show a certificate; empty: callers need a token. */
  readonly clientCaFile: string;
}

const mostNodes = 10_000;
const mostPodsPerNode = 1_000;

/** @throws KubeletError `invalid-argument` naming the option and its value. */
export function checkOptions(options: HollowNodesOptions): void {
  const { nodes, podsPerNode = 110, startsAtOnce = 16, namePrefix = 'hollow', servers } = options;
  whole('nodes', nodes, 1, mostNodes);
  whole('podsPerNode', podsPerNode, 1, mostPodsPerNode);
  whole('startsAtOnce', startsAtOnce, 1, mostNodes);
  checkNamePrefix('namePrefix', namePrefix);
  if (servers === undefined) return;
  whole('servers.firstPort', servers.firstPort, 1, 65_536 - nodes);
  checkNodeAddress('servers.address', servers.address);
}

/** Checks what the names of the nodes begin with; `name` is what the user calls it. */
export function checkNamePrefix(name: string, value: string): void {
  if (!/^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/.test(value))
    throw fault(name, value, 'must be at most 52 lower case letters, digits and dashes between them');
}

/** Checks an address that the Node objects are to show; `name` is what the user calls it. */
export function checkNodeAddress(name: string, value: string): void {
  if (isIP(value) === 0) throw fault(name, value, 'must be an IP address that the API server reaches');
  // The kubelet's own rule.
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(value))
    throw fault(name, value, 'must be another address of this machine: Node objects show no loopback or empty address');
}

function whole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw fault(name, value, `must be a whole number from ${min} to ${max}`);
}

const fault = (name: string, value: unknown, problem: string): KubeletError =>
  new KubeletError(`${name} ${problem}, got ${JSON.stringify(value)}`, { code: 'invalid-argument' });
