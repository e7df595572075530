/** TypeScript types and enums of one proto file. Paths are relative to the repository root, where npm runs its scripts. */
export interface TypesTarget {
  readonly kind: 'types';
  readonly proto: string;
  readonly output: string;
  readonly options: Readonly<Record<string, string | boolean>>;
}

/** Encoders and decoders for the messages that one side of the proto file's services sends and receives. */
export interface CodecTarget {
  readonly kind: 'codec';
  readonly proto: string;
  readonly output: string;
  readonly side: 'client' | 'server';
  /** Import path of the message types in the generated file. */
  readonly types: string;
}

export type CodegenTarget = TypesTarget | CodecTarget;

const podResourcesProto = 'libs/resources/pod-resources/interface/proto/podresources.v1.proto';
const podsProto = 'libs/pod/pods-api/interface/proto/pods.v1alpha1.proto';
const devicePluginProto = 'libs/resources/device-manager/interface/proto/deviceplugin.v1beta1.proto';
const pluginRegistrationProto = 'libs/resources/plugin-watcher/interface/proto/pluginregistration.v1.proto';
const draProto = 'libs/resources/dra/interface/proto/dra.v1.proto';
const draHealthProto = 'libs/resources/dra/interface/proto/dra-health.v1alpha1.proto';
const csiProto = 'libs/storage/volume-csi/interface/proto/csi.proto';
const csiIdentityProto = 'libs/testing/test-csi-driver/proto/csi-identity.v1.proto';
const criProto = 'libs/runtime/cri-client/interface/proto/runtime.v1.proto';

// bigint keeps int64 exact: nanosecond timestamps exceed 2^53. Enums as literals stay plain numbers on the wire.
const shape = {
  forceLong: 'bigint',
  enumsAsLiterals: true,
  esModuleInterop: true,
  importSuffix: '.js',
  useOptionals: 'none',
  outputServices: 'none',
  outputJsonMethods: false,
  removeEnumPrefix: false,
  annotateFilesWithVersion: false,
};

export const targets: readonly CodegenTarget[] = [
  {
    kind: 'types',
    proto: criProto,
    output: 'libs/runtime/cri-client/interface/src/generated/runtime.ts',
    options: { ...shape, onlyTypes: true },
  },
  {
    kind: 'codec',
    proto: criProto,
    output: 'libs/runtime/cri-client/default/src/generated/client-codecs.ts',
    side: 'client',
    types: '@podwright/cri-client-interface',
  },
  // The opposite direction, for a server in specs; under fixtures, so that it is not published.
  {
    kind: 'codec',
    proto: criProto,
    output: 'libs/runtime/cri-client/default/src/fixtures/generated/server-codecs.ts',
    side: 'server',
    types: '@podwright/cri-client-interface',
  },
  {
    kind: 'types',
    proto: podResourcesProto,
    output: 'libs/resources/pod-resources/interface/src/generated/podresources.ts',
    options: { ...shape, onlyTypes: true },
  },
  {
    kind: 'codec',
    proto: podResourcesProto,
    output: 'libs/resources/pod-resources/default/src/generated/server-codecs.ts',
    side: 'server',
    types: '@podwright/pod-resources-interface',
  },
  {
    kind: 'codec',
    proto: podResourcesProto,
    output: 'libs/resources/pod-resources/interface/src/contract/generated/client-codecs.ts',
    side: 'client',
    types: '../../generated/podresources.js',
  },
  {
    kind: 'types',
    proto: podsProto,
    output: 'libs/pod/pods-api/interface/src/generated/pods.ts',
    options: { ...shape, onlyTypes: true },
  },
  {
    kind: 'codec',
    proto: podsProto,
    output: 'libs/pod/pods-api/default/src/generated/server-codecs.ts',
    side: 'server',
    types: '@podwright/pods-api-interface',
  },
  {
    kind: 'codec',
    proto: podsProto,
    output: 'libs/pod/pods-api/interface/src/contract/generated/client-codecs.ts',
    side: 'client',
    types: '../../generated/pods.js',
  },
  {
    kind: 'types',
    proto: devicePluginProto,
    output: 'libs/resources/device-manager/interface/src/generated/deviceplugin.ts',
    options: { ...shape, onlyTypes: true },
  },
  {
    kind: 'types',
    proto: pluginRegistrationProto,
    output: 'libs/resources/plugin-watcher/interface/src/generated/pluginregistration.ts',
    options: { ...shape, onlyTypes: true },
  },
  // Kubelet and plugin are each client of one service and server of the other.
  ...(['client', 'server'] as const).flatMap((side): CodegenTarget[] => [
    {
      kind: 'codec',
      proto: devicePluginProto,
      output: `libs/resources/device-manager/default/src/generated/${side}-codecs.ts`,
      side,
      types: '@podwright/device-manager-interface',
    },
    {
      kind: 'codec',
      proto: devicePluginProto,
      output: `libs/testing/test-device-plugin/src/generated/device-plugin-${side}-codecs.ts`,
      side,
      types: '@podwright/device-manager-interface',
    },
  ]),
  {
    kind: 'codec',
    proto: pluginRegistrationProto,
    output: 'libs/resources/plugin-watcher/default/src/generated/client-codecs.ts',
    side: 'client',
    types: '@podwright/plugin-watcher-interface',
  },
  {
    kind: 'codec',
    proto: pluginRegistrationProto,
    output: 'libs/testing/test-device-plugin/src/generated/registration-server-codecs.ts',
    side: 'server',
    types: '@podwright/plugin-watcher-interface',
  },
  ...[
    { proto: draProto, name: 'dra' },
    { proto: draHealthProto, name: 'dra-health' },
  ].flatMap(({ proto, name }): CodegenTarget[] => [
    {
      kind: 'types',
      proto,
      output: `libs/resources/dra/interface/src/generated/${name}.ts`,
      options: { ...shape, onlyTypes: true },
    },
    {
      kind: 'codec',
      proto,
      output: `libs/resources/dra/default/src/generated/${name}-client-codecs.ts`,
      side: 'client',
      types: '@podwright/dra-interface',
    },
    // The opposite direction, for a driver.
    {
      kind: 'codec',
      proto,
      output: `libs/testing/test-dra-driver/src/generated/${name}-server-codecs.ts`,
      side: 'server',
      types: '@podwright/dra-interface',
    },
    {
      kind: 'codec',
      proto,
      output: `libs/testing/test-dra-driver/src/fixtures/generated/${name}-client-codecs.ts`,
      side: 'client',
      types: '@podwright/dra-interface',
    },
  ]),
  {
    kind: 'types',
    proto: csiProto,
    output: 'libs/storage/volume-csi/interface/src/generated/csi.ts',
    options: { ...shape, onlyTypes: true },
  },
  {
    kind: 'codec',
    proto: csiProto,
    output: 'libs/storage/volume-csi/default/src/generated/client-codecs.ts',
    side: 'client',
    types: '@podwright/volume-csi-interface',
  },
  {
    kind: 'codec',
    proto: csiProto,
    output: 'libs/storage/volume-csi/default/src/fixtures/generated/server-codecs.ts',
    side: 'server',
    types: '@podwright/volume-csi-interface',
  },
  {
    kind: 'codec',
    proto: csiProto,
    output: 'libs/testing/test-csi-driver/src/generated/node-server-codecs.ts',
    side: 'server',
    types: '@podwright/volume-csi-interface',
  },
  // The opposite direction, for a kubelet in specs; under fixtures, so that it is not published.
  {
    kind: 'codec',
    proto: csiProto,
    output: 'libs/testing/test-csi-driver/src/fixtures/generated/client-codecs.ts',
    side: 'client',
    types: '@podwright/volume-csi-interface',
  },
  {
    kind: 'types',
    proto: csiIdentityProto,
    output: 'libs/testing/test-csi-driver/src/generated/identity.ts',
    options: { ...shape, onlyTypes: true },
  },
  {
    kind: 'codec',
    proto: csiIdentityProto,
    output: 'libs/testing/test-csi-driver/src/generated/identity-server-codecs.ts',
    side: 'server',
    types: './identity.js',
  },
];
