import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';

// protoc's plug-in protocol: the three messages that are needed here (google/protobuf/compiler/plugin.proto).
const pluginProtocol = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated string file_to_generate = 1; string parameter = 2; repeated bytes proto_file = 15; }
  message File { string name = 1; string content = 15; }
  message Response { string error = 1; repeated File file = 15; }
`).root;

/**
 * Generates TypeScript from one proto file with ts-proto, without protoc: protobufjs parses the file, then the plug-in
 * is called as protoc would. Returns the source. Throws with the plug-in's own message.
 */
export function generateTypeScript(protoFile: string, options: Readonly<Record<string, string | boolean>>): string {
  const files = describeFiles(protoFile);
  const Request = pluginProtocol.lookupType('Request');
  const request = Request.encode(
    Request.fromObject({
      fileToGenerate: files.map((file) => file.name),
      parameter: Object.entries(options)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(','),
      protoFile: files.map((file) => descriptor.FileDescriptorProto.encode(file as never).finish()),
    }),
  ).finish();
  const plugin = createRequire(import.meta.url).resolve('ts-proto/protoc-gen-ts_proto');
  const { status, stdout, stderr } = spawnSync(process.execPath, [plugin], {
    input: request,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`ts-proto failed for ${protoFile}: ${stderr.toString()}`);
  const response = pluginProtocol.lookupType('Response').decode(stdout) as unknown as {
    error?: string;
    file: { name: string; content: string }[];
  };
  if (response.error) throw new Error(`ts-proto failed for ${protoFile}: ${response.error}`);
  return response.file.map((file) => file.content).join('\n');
}

/** The proto file as a serialized FileDescriptorSet, for libraries that need descriptors. */
export function encodeDescriptor(protoFile: string): Uint8Array {
  const set = descriptor.FileDescriptorSet as unknown as { encode(value: unknown): { finish(): Uint8Array } };
  return set.encode({ file: describeFiles(protoFile) }).finish();
}

function describeFiles(protoFile: string): { name: string; package?: string }[] {
  const { root } = protobuf.parse(readFileSync(protoFile, 'utf8'), { keepCase: true });
  root.resolveAll();
  const files = (root as unknown as { toDescriptor(edition: string): { file: { name: string; package?: string }[] } })
    .toDescriptor('proto3')
    .file.filter((file) => (file.package ?? '') !== '');
  for (const file of files) qualifyTypeNames(file as unknown as DescriptorFile);
  return files;
}

interface DescriptorMessage {
  readonly name: string;
  readonly field?: { typeName?: string }[];
  readonly nestedType?: DescriptorMessage[];
  readonly enumType?: { name: string }[];
}
interface DescriptorFile {
  readonly package: string;
  readonly messageType?: DescriptorMessage[];
  readonly service?: { readonly method?: { inputType: string; outputType: string }[] }[];
}
/** Finds a type name as proto does: in the innermost message first. */
type Resolve = (name: string) => string;

// protobufjs writes type names as in the source; plug-ins expect protoc's form, `.package.Type`.
function qualifyTypeNames(file: DescriptorFile): void {
  const ofPackage: Resolve = (name) => (name.startsWith('.') ? name : `.${file.package}.${name}`);
  for (const message of file.messageType ?? []) qualifyFields(message, `.${file.package}`, ofPackage);
  for (const method of (file.service ?? []).flatMap((service) => service.method ?? [])) {
    method.inputType = ofPackage(method.inputType);
    method.outputType = ofPackage(method.outputType);
  }
}

function qualifyFields(message: DescriptorMessage, parent: string, outer: Resolve): void {
  const path = `${parent}.${message.name}`;
  const own = new Set([...(message.nestedType ?? []), ...(message.enumType ?? [])].map(({ name }) => name));
  const resolve: Resolve = (name) => (own.has(name.split('.')[0] ?? '') ? `${path}.${name}` : outer(name));
  for (const field of message.field ?? []) if (field.typeName) field.typeName = resolve(field.typeName);
  for (const nested of message.nestedType ?? []) qualifyFields(nested, path, resolve);
}
