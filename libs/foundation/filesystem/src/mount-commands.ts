import type { MountRequest } from './mount-tools.js';

export interface MountCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments as errors show them, with sensitive options masked. */
  readonly shown: string;
  /** It may start a program that serves the mount and outlives it. */
  readonly hasHelper: boolean;
}

export interface MountCommandOptions {
  /** Empty: mount(8) mounts everything. */
  readonly mounterPath: string;
  readonly inScope: boolean;
  /** Flags of the source of a bind mount. Read between the two commands. */
  readonly bindFlags: () => Promise<readonly string[]>;
}

const typesOfMounter: ReadonlySet<string | undefined> = new Set(['nfs', 'glusterfs', 'ceph', 'cifs']);

/**
 * The commands of a mount, in their order. The kernel ignores all other options of a bind mount, so they need a second
 * command, which sets the mount's flags anew. Source: kubernetes v1.36 mount-utils/mount_linux.go,
 * mount_helper_common.go MakeBindOptsSensitive.
 */
export async function* mountCommands(
  request: MountRequest,
  options: MountCommandOptions,
): AsyncGenerator<MountCommand, void> {
  const { options: wanted = [], sensitiveOptions: sensitive = [], fsType } = request;
  if (![...wanted, ...sensitive].includes('bind')) {
    const mounter = typesOfMounter.has(fsType) ? options.mounterPath : '';
    yield mountCommand(request, { wanted, sensitive }, { ...options, mounterPath: mounter });
    return;
  }
  const secret = sensitive.filter((option) => !isBindWord(option));
  const direct = { ...options, mounterPath: '' };
  const network = wanted.filter((option) => option === '_netdev');
  yield mountCommand(request, { wanted: ['bind', ...network], sensitive: secret }, direct);
  const others = wanted.filter((option) => !isBindWord(option) && option !== '_netdev');
  // A new bind mount has the flags of its source already.
  if (others.length === 0 && secret.length === 0) return;
  const flags = (await options.bindFlags()).filter((flag) => !others.includes(flag));
  yield mountCommand(request, { wanted: ['bind', 'remount', ...others, ...flags], sensitive: secret }, direct);
}

const isBindWord = (option: string): boolean => option === 'bind' || option === 'remount';

function mountCommand(
  { source, target, fsType, canonicalize = true }: MountRequest,
  { wanted, sensitive }: { readonly wanted: readonly string[]; readonly sensitive: readonly string[] },
  { mounterPath, inScope }: MountCommandOptions,
): MountCommand {
  const argsWith = (all: readonly string[], untyped: readonly string[] = []): readonly string[] => [
    ...(mounterPath === '' ? [] : ['mount']),
    ...(canonicalize ? [] : ['--no-canonicalize']),
    ...(fsType === undefined || fsType === '' ? untyped : ['-t', fsType]),
    ...(all.length === 0 ? [] : ['-o', all.join(',')]),
    ...(source === '' ? [] : [source]),
    target,
  ];
  const file = mounterPath === '' ? 'mount' : mounterPath;
  // Also a change of propagation, which has no type. With a type, `rshared` may be an option of any volume.
  const isShared = wanted.includes('rshared') && (fsType ?? '') === '';
  const byKernelAlone = fsType === 'tmpfs' || wanted.includes('bind') || isShared;
  const scope = [`--description=Kubernetes transient mount for ${target}`, '--scope', '--', file];
  const before = inScope ? scope : [];
  return {
    file: inScope ? 'systemd-run' : file,
    args: [...before, ...argsWith([...wanted, ...sensitive])],
    hasHelper: inScope || mounterPath !== '' || !byKernelAlone,
    // Upstream's text, which events carry, has an empty word in the place of a type.
    shown: [...before, ...argsWith([...wanted, ...sensitive.map(() => '<masked>')], canonicalize ? [''] : [])].join(
      ' ',
    ),
  };
}
