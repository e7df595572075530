import { parseArgs } from 'node:util';
import { nodeArchitectures, type NodeArchitecture } from '../node/node-pins.js';

export interface BuildOptions {
  /** Whether to build single executables of `apps`, and nothing else. */
  readonly executable: boolean;
  /** Whether to build Debian packages of the kubelet, and nothing else. */
  readonly deb: boolean;
  readonly architectures: readonly NodeArchitecture[];
  readonly packages: boolean;
  readonly apps: readonly string[];
}

/** Reads the command line of `npm run build`; `programs` are the apps that exist. Throws with a sentence for the user. */
export function parseBuildOptions(args: readonly string[], programs: readonly string[]): BuildOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'kubelet-only': { type: 'boolean', default: false },
      executable: { type: 'boolean', default: false },
      deb: { type: 'boolean', default: false },
      arch: { type: 'string' },
    },
  });
  const { executable, deb, arch, 'kubelet-only': kubeletOnly } = values;
  const kinds = Object.entries({ '--kubelet-only': kubeletOnly, '--executable': executable, '--deb': deb });
  const chosenKinds = kinds.flatMap(([name, isChosen]) => (isChosen ? [name] : []));
  if (chosenKinds.length > 1) throw new Error(`${chosenKinds.join(' and ')} cannot be used together`);
  if (!executable && !deb && arch !== undefined) throw new Error('--arch works only with --executable or --deb');
  if (!executable && positionals.length > 0) throw new Error(`${positionals.join(' ')} works only with --executable`);
  const unknown = positionals.find((app) => !programs.includes(app));
  if (unknown !== undefined) throw new Error(`there is no program "${unknown}"; there are ${programs.join(', ')}`);
  const architectures = nodeArchitectures.filter((each) => arch === undefined || each === arch);
  if (architectures.length === 0) throw new Error(`--arch must be ${nodeArchitectures.join(' or ')}, not "${arch}"`);
  const chosen = positionals.length > 0 ? positionals : ['kubelet'];
  const all = chosenKinds.length === 0;
  return { executable, deb, architectures, packages: all, apps: all ? programs : chosen };
}
