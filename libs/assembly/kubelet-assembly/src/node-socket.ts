import path from 'node:path';
import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import type { OwnFlag } from '@podwright/kubelet-configuration';
import { assertNotServed, serverModule } from '@podwright/server';
import type { KubeletPart, PartSettings } from './kubelet-part.js';

const fileName = 'podwright.sock';

/** The flag that {@link nodeSocketParts} read. */
export const nodeSocketFlags = [
  {
    name: 'socket',
    help: `unix socket on which root reads what the node knows, as podwright explain does, also while the API server is away; empty = off (default ${fileName} below --root-dir)`,
  },
] as const satisfies readonly OwnFlag[];

/**
 * A socket for root that only reads. The kubelet starts without the one that nobody has asked for: another kubelet may
 * have it, or the path may be too long.
 */
export const nodeSocketParts: readonly KubeletPart[] = [
  {
    options: (settings: PartSettings): readonly ConfiguredModule[] => {
      const given = givenSocket(settings);
      return [
        configure(serverModule, {
          localSocket: given ?? path.resolve(settings.flags.rootDir, fileName),
          localSocketOptional: given === undefined,
          localReadOnly: true,
        }),
      ];
    },
    // The server would find it out too, but only after other managers have taken over sockets and folders.
    beforeStart: (settings) => assertNotServed(givenSocket(settings) ?? ''),
  },
];

function givenSocket({ ownFlags }: Pick<PartSettings, 'ownFlags'>): string | undefined {
  const given = ownFlags.socket;
  return given === undefined || given === '' ? given : path.resolve(given);
}
