import path from 'node:path';
import { configure, type AnyModule, type ConfiguredModule } from '@podwright/assembly-interface';
import { servingCertificateModule } from '@podwright/cert-rotation';
import type { OwnFlag } from '@podwright/kubelet-configuration';
import { localApiModule } from '@podwright/local-api';
import { fileLocalObjectsModule } from '@podwright/local-objects';
import { endedLocalPodsModule, localPodsModule } from '@podwright/pod-config';
import { podSyncModule } from '@podwright/pod-sync';
import { localConfigMapsModule, localSecretsModule } from '@podwright/referenced-objects';
import { assertNotServed, serverModule } from '@podwright/server';
import { apiDataVolumesModule } from '@podwright/volume-api-data';
import { needsServingCertificate, servingCertificateOptions } from './certificate-options.js';
import type { KubeletPart, PartSettings } from './kubelet-part.js';
import type { NodeSettings } from './node-settings.js';

/** The flags that {@link localParts} read. */
export const localFlags = [
  { name: 'socket', default: '/run/podwright/podwright.sock', help: 'unix socket of the local API; empty = off' },
  { name: 'objects-dir', default: '', help: 'folder with manifests of config maps and secrets; empty = none' },
  {
    name: 'local-api-address',
    default: '',
    help: 'IP:port of the local API over TLS, for clients with a certificate; empty = off',
  },
  {
    name: 'local-api-client-ca-file',
    default: '',
    help: 'CA of the certificates of the clients of --local-api-address',
  },
] as const satisfies readonly OwnFlag[];

/** Modules of a kubelet whose pods, config maps and secrets come from people on its node. */
const localAdditions: readonly AnyModule[] = [
  fileLocalObjectsModule,
  localPodsModule,
  endedLocalPodsModule,
  localApiModule,
];

/** By the name of the module that each replaces. */
const localReplacements: Readonly<Record<string, AnyModule>> = {
  '@podwright/referenced-objects#secrets': localSecretsModule,
  '@podwright/referenced-objects#configmaps': localConfigMapsModule,
};

/** All of them, for assembly files. */
export const localModules: readonly AnyModule[] = [...localAdditions, ...Object.values(localReplacements)];

/** Their options that every kubelet knows, also for one whose assembly file adds them. */
export const localOptions = ({ flags, facts: { nodeName } }: NodeSettings): readonly ConfiguredModule[] => [
  configure(fileLocalObjectsModule, { rootDir: path.resolve(flags.rootDir) }),
  configure(localPodsModule, { nodeName }),
  configure(localApiModule, { nodeName }),
];

/** How a kubelet differs that gets its pods, config maps and secrets from people on its node. */
export const localParts: readonly KubeletPart[] = [
  {
    replacements: localReplacements,
    additions: localAdditions,
    options: (settings) => [
      configure(fileLocalObjectsModule, { objectsDir: absolute(given(settings, 'objects-dir')) }),
      // Projected volumes of secrets and config maps: those that need more fail by themselves.
      configure(apiDataVolumesModule, { hasApiServer: true }),
      configure(podSyncModule, { hasApiServer: true }),
      configure(serverModule, {
        localSocket: absolute(given(settings, 'socket')),
        localAddress: given(settings, 'local-api-address'),
        localClientCaFile: absolute(given(settings, 'local-api-client-ca-file')),
      }),
    ],
    // The server would find it out too, but only after other managers have taken over sockets and folders.
    beforeStart: (settings) => assertNotServed(absolute(given(settings, 'socket'))),
  },
  // Without the kubelet's own port there is no certificate yet.
  {
    applies: (settings) =>
      given(settings, 'local-api-address') !== '' && !needsServingCertificate(settings.configuration),
    additions: [servingCertificateModule],
    options: servingCertificateOptions,
  },
];

type LocalFlag = (typeof localFlags)[number]['name'];

const given = ({ ownFlags }: Pick<PartSettings, 'ownFlags'>, name: LocalFlag): string => ownFlags[name] ?? '';

const absolute = (file: string): string => (file === '' ? '' : path.resolve(file));
