import { parseArgs } from 'node:util';
import { whole } from '../options.js';

export interface FleetOptions {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Creations of pods in flight. */
  readonly atOnce: number;
  /** An administrator's; without it the API server is one in memory. */
  readonly kubeconfig: string | undefined;
  readonly idleSeconds: number;
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseFleetOptions(args: readonly string[]): FleetOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      nodes: { type: 'string', default: '100' },
      pods: { type: 'string', default: '10' },
      'at-once': { type: 'string', default: '4' },
      kubeconfig: { type: 'string' },
      idle: { type: 'string', default: '30' },
    },
  });
  return {
    nodes: whole('--nodes', values.nodes, 1),
    podsPerNode: whole('--pods', values.pods, 0),
    atOnce: whole('--at-once', values['at-once'], 1),
    kubeconfig: values.kubeconfig,
    idleSeconds: whole('--idle', values.idle, 1),
  };
}
