import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createSeededRandom, type Random } from '@podwright/time';
import protobuf from 'protobufjs';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import * as draServer from '../../libs/testing/test-dra-driver/src/generated/dra-server-codecs.js';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import * as draClient from '../../libs/resources/dra/default/src/generated/dra-client-codecs.js';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import * as server from '../../libs/runtime/cri-client/default/src/fixtures/generated/server-codecs.js';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import * as client from '../../libs/runtime/cri-client/default/src/generated/client-codecs.js';
import { camelCase } from './wire-functions.js';

const criProto = 'libs/runtime/cri-client/interface/proto/runtime.v1.proto';
// It has what the CRI lacks: maps of messages, optional fields, a package of several words.
const draProto = 'libs/resources/dra/interface/proto/dra.v1.proto';

interface Codec {
  encode(message: object): Buffer;
  decode(bytes: Buffer): object;
}
type Table = Readonly<Record<string, Codec>>;
const criTable = (codecs: typeof client | typeof server): Table =>
  ({ ...codecs.runtimeServiceMethods, ...codecs.imageServiceMethods }) as unknown as Table;

const services: readonly (readonly [proto: string, service: string, client: Table, server: Table])[] = [
  [criProto, 'runtime.v1.RuntimeService', criTable(client), criTable(server)],
  [criProto, 'runtime.v1.ImageService', criTable(client), criTable(server)],
  [
    draProto,
    'k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin',
    draClient.dRAPluginMethods as unknown as Table,
    draServer.dRAPluginMethods as unknown as Table,
  ],
];

const methods = services.flatMap(([proto, service, ofClient, ofServer]) => {
  const { root } = protobuf.parse(readFileSync(proto, 'utf8'), { keepCase: true });
  root.resolveAll();
  return root.lookupService(service).methodsArray.map((method) => {
    const key = method.name.charAt(0).toLowerCase() + method.name.slice(1);
    return [key, method, ofClient[key] as Codec, ofServer[key] as Codec] as const;
  });
});

/** A message with chosen fields set, in our shape and as protobufjs takes it. */
function sample(type: protobuf.Type, random: Random, fill: number): { ours: object; theirs: object } {
  const ours: Record<string, unknown> = {};
  const theirs: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    const name = camelCase(field.name);
    const one = (): { ours: unknown; theirs: unknown } => value(field, random, fill);
    const set = random.next() < fill;
    if (field instanceof protobuf.MapField) {
      const keys = set
        ? ['b', 'a', 'io.kubernetes.pod.uid', '', '__proto__'].slice(0, 1 + Math.floor(random.next() * 5))
        : [];
      const entries = keys.map((key) => {
        const plain = `${random.hex(3)} äöü`;
        return [key, field.resolvedType === null ? { ours: plain, theirs: plain } : one()] as const;
      });
      ours[name] = Object.fromEntries(entries.map(([key, entry]) => [key, entry.ours]));
      theirs[field.name] = Object.fromEntries(entries.map(([key, entry]) => [key, entry.theirs]));
    } else if (field.repeated) {
      const items = set ? Array.from({ length: 1 + Math.floor(random.next() * 3) }, one) : [];
      ours[name] = items.map((item) => item.ours);
      theirs[field.name] = items.map((item) => item.theirs);
    } else if (set) {
      const item = one();
      ours[name] = item.ours;
      theirs[field.name] = item.theirs;
    } else {
      ours[name] = zero(field);
    }
  }
  return { ours, theirs };
}

function value(field: protobuf.Field, random: Random, fill: number): { ours: unknown; theirs: unknown } {
  if (field.resolvedType instanceof protobuf.Type) return sample(field.resolvedType, random, fill * 0.9);
  const same = (plain: unknown): { ours: unknown; theirs: unknown } => ({ ours: plain, theirs: plain });
  if (field.resolvedType instanceof protobuf.Enum) return same(Object.values(field.resolvedType.values).at(-1));
  switch (field.type) {
    case 'string':
      return same(['x', '✓ and ünïcode', 'y'.repeat(130), random.hex(32)][Math.floor(random.next() * 4)]);
    case 'bytes':
      return same(new Uint8Array([0, 255, 128]));
    case 'bool':
      return same(true);
    case 'double':
      return same(random.next() * 100);
    case 'int32':
      return same([-1, 1, -(2 ** 31), 2 ** 31 - 1][Math.floor(random.next() * 4)]);
    case 'uint32':
      return same([1, 127, 128, 2 ** 32 - 1][Math.floor(random.next() * 4)]);
    default: {
      const signed = [-1n, 1n, 1_795_205_435_993_335_930n, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 35n, 300n];
      const number = signed[Math.floor(random.next() * signed.length)] as bigint;
      const exact = field.type === 'uint64' ? BigInt.asUintN(64, number) : number;
      return { ours: exact, theirs: longOf(exact, field.type === 'uint64') };
    }
  }
}

function longOf(exact: bigint, unsigned: boolean): unknown {
  const half = (shift: bigint): number => Number(BigInt.asIntN(32, exact >> shift));
  return { low: half(0n), high: half(32n), unsigned };
}

function zero(field: protobuf.Field): unknown {
  if (field.resolvedType instanceof protobuf.Type || field.partOf?.isProto3Optional === true) return undefined;
  if (field.resolvedType instanceof protobuf.Enum) return 0;
  const zeros: Record<string, unknown> = { string: '', bytes: new Uint8Array(), bool: false, int64: 0n, uint64: 0n };
  return zeros[field.type] ?? 0;
}

describe.each(methods)('the generated codecs of %s', (key, method, ofClient, ofServer) => {
  const random = createSeededRandom(key);
  const request = method.resolvedRequestType as protobuf.Type;
  const response = method.resolvedResponseType as protobuf.Type;
  const sides = [
    ['request', request, ofClient, ofServer],
    ['response', response, ofServer, ofClient],
  ] as const;

  it.each(sides)('agree with protobufjs on the %s', (_name, type, sender, receiver) => {
    for (const fill of [0, 0.5, 1, 1, 0.7]) {
      const { ours, theirs } = sample(type, random, fill);
      expect(receiver.decode(Buffer.from(type.encode(type.fromObject(theirs)).finish()))).toEqual(ours);
      const sent = sender.encode(ours);
      expect(receiver.decode(sent)).toEqual(ours);
      // protobufjs loses the key `__proto__`, so its reading is compared without.
      if (!JSON.stringify(sent.toString('latin1')).includes('__proto__')) {
        const read = type.toObject(type.decode(sent), { bytes: Uint8Array });
        expect(receiver.decode(Buffer.from(type.encode(type.fromObject(read)).finish()))).toEqual(ours);
      }
    }
  });

  it('leave out what a request leaves out, and skip what they do not know', () => {
    expect(ofClient.encode({})).toHaveLength(0);
    // Field 1000 in all wire types, as a newer runtime might send.
    const future = Buffer.concat([
      Buffer.from([0xc0, 0x3e, 0x96, 0x01]),
      Buffer.from([0xc2, 0x3e, 0x02, 0x08, 0x01]),
      Buffer.from([0xc1, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8]),
      Buffer.from([0xc5, 0x3e, 1, 2, 3, 4]),
    ]);
    const { ours } = sample(response, random, 0);
    expect(ofClient.decode(future)).toEqual(ours);
  });

  it('end every broken message in an answer or an error, soon', () => {
    const { ours } = sample(response, random, 1);
    const bytes = ofServer.encode(ours);
    const { decode } = ofClient;
    for (let cut = 0; cut < Math.min(bytes.length, 400); cut++) attempt(decode, bytes.subarray(0, cut));
    for (let flips = 0; flips < 300 && bytes.length > 0; flips++) {
      const broken = Buffer.from(bytes);
      for (let n = 0; n < 3; n++) broken[Math.floor(random.next() * broken.length)] = Math.floor(random.next() * 256);
      attempt(decode, broken);
    }
  });
});

function attempt(decode: Codec['decode'], bytes: Buffer): void {
  try {
    decode(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}
