/** One generated file: paths are relative to the repository root, where npm runs its scripts. */
export interface CodegenTarget {
  readonly proto: string;
  readonly output: string;
  readonly options: Readonly<Record<string, string | boolean>>;
}

const criProto = 'libs/runtime/cri-client/interface/proto/runtime.v1.proto';

// bigint keeps int64 exact: nanosecond time stamps are beyond 2^53. Enums as literals stay plain numbers on the wire.
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
    proto: criProto,
    output: 'libs/runtime/cri-client/interface/src/generated/runtime.ts',
    options: { ...shape, onlyTypes: true },
  },
];
