import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import protobuf from 'protobufjs';
import { targets } from '../../codegen/targets.js';
import { encodeDescriptor, generateTypeScript } from '../../codegen/ts-proto.js';

/** One codec, bundled with everything that it needs to talk to a runtime, as a daemon would load it. */
export interface Candidate {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
}

/** What each module exports. */
export interface CodecModule {
  decodeContainers(bytes: Buffer): { readonly containers: readonly { readonly createdAt: unknown }[] };
  decodeSandboxes(bytes: Buffer): { readonly items: readonly unknown[] };
}

const root = path.resolve('.');
const proto = 'libs/runtime/cri-client/interface/proto/runtime.v1.proto';
const ourCodecs = 'libs/runtime/cri-client/default/src/generated/client-codecs.ts';

export async function buildCandidates(): Promise<Candidate[]> {
  const folder = path.join(root, 'node_modules/.cache/podwright/codec-bench');
  await mkdir(folder, { recursive: true });
  const sources = {
    ours: ours(),
    'ts-proto': await tsProto(folder),
    protobufjs: await protobufjs(),
    'protobuf-es': protobufEs(),
  };
  const candidates: Candidate[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const entry = path.join(folder, `${name}-entry.ts`);
    const file = path.join(folder, `${name}.mjs`);
    await writeFile(entry, source);
    await build({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    candidates.push({ name, file, bytes: (await readFile(file)).length });
  }
  return candidates;
}

function ours(): string {
  return `
    import { runtimeServiceMethods as runtime, imageServiceMethods as images } from '${path.join(root, ourCodecs)}';
    export const methods = { runtime, images };
    export const decodeContainers = runtime.listContainers.decode;
    export const decodeSandboxes = runtime.listPodSandbox.decode;`;
}

async function tsProto(folder: string): Promise<string> {
  const types = targets.find((target) => target.kind === 'types');
  const shape = { ...types?.options, onlyTypes: false, outputTypeRegistry: false, outputPartialMethods: false };
  for (const side of ['encode', 'decode']) {
    const source = generateTypeScript(proto, {
      ...shape,
      outputEncodeMethods: `${side}-only`,
      ...(side === 'encode' ? { useOptionals: 'all' } : {}),
    });
    await writeFile(path.join(folder, `ts-proto-${side}.ts`), source);
  }
  const methods = servicesOf().flatMap((service) =>
    service.methodsArray.map(
      ({ requestType, responseType }) => `[encode.${requestType}.encode, decode.${responseType}.decode]`,
    ),
  );
  return `
    import * as encode from './ts-proto-encode.js';
    import * as decode from './ts-proto-decode.js';
    export const methods = [${methods.join(',')}];
    export const decodeContainers = (bytes) => decode.ListContainersResponse.decode(bytes);
    export const decodeSandboxes = (bytes) => decode.ListPodSandboxResponse.decode(bytes);`;
}

/** The static module that pbjs writes, with its imports. int64 becomes Long. */
async function protobufjs(): Promise<string> {
  const { root: types } = protobuf.parse(await readFile(proto, 'utf8'));
  return `
    import protobuf from 'protobufjs/light.js';
    const root = protobuf.Root.fromJSON(${JSON.stringify(types.toJSON())});
    const containers = root.lookupType('runtime.v1.ListContainersResponse');
    const items = root.lookupType('runtime.v1.ListPodSandboxResponse');
    export const decodeContainers = (bytes) => containers.decode(bytes);
    export const decodeSandboxes = (bytes) => items.decode(bytes);`;
}

function protobufEs(): string {
  const descriptor = Buffer.from(encodeDescriptor(proto)).toString('base64');
  return `
    import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
    import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
    const set = fromBinary(FileDescriptorSetSchema, Buffer.from('${descriptor}', 'base64'));
    const registry = createFileRegistry(set);
    const containers = registry.getMessage('runtime.v1.ListContainersResponse');
    const items = registry.getMessage('runtime.v1.ListPodSandboxResponse');
    export const decodeContainers = (bytes) => fromBinary(containers, bytes);
    export const decodeSandboxes = (bytes) => fromBinary(items, bytes);`;
}

function servicesOf(): protobuf.Service[] {
  const { root: parsed } = protobuf.loadSync(proto) as unknown as { root: protobuf.Root };
  const namespace = parsed.lookup('runtime.v1') as protobuf.Namespace;
  return namespace.nestedArray.filter((nested): nested is protobuf.Service => nested instanceof protobuf.Service);
}
