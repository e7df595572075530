import { Writer } from '@podwright/protobuf-wire';

/** A location in the code, with its line from 1; 0 means unknown. */
export interface ProfileFrame {
  readonly functionName: string;
  readonly file: string;
  readonly line: number;
}

/** One stack, innermost frame first, with a number per value type. */
export interface ProfileSample {
  readonly stack: readonly ProfileFrame[];
  readonly values: readonly number[];
}

export interface ProfileOptions {
  /** Such as `['cpu', 'nanoseconds']`. */
  readonly valueTypes: readonly (readonly [type: string, unit: string])[];
  readonly periodType: readonly [type: string, unit: string];
  readonly period: number;
  readonly timeMs: number;
  readonly durationMs: number;
}

/**
 * Encodes `perftools.profiles.Profile`, the format of pprof. Field numbers: google/pprof proto/profile.proto. Yields to
 * the event loop, because a profile can have many thousand stacks.
 */
export async function profileMessage(
  samples: Iterable<ProfileSample>,
  options: ProfileOptions,
  yieldTurn: () => Promise<void>,
): Promise<Uint8Array> {
  const tables = new ProfileTables();
  const writer = new Writer();
  for (const [type, unit] of options.valueTypes) valueType(writer, 0x0a, tables, type, unit);
  let untilTurn = samplesPerTurn;
  for (const { stack, values } of samples) {
    const at = writer.open(0x12);
    packed(
      writer,
      0x0a,
      stack.map((frame) => BigInt(tables.location(frame))),
    );
    packed(
      writer,
      0x12,
      values.map((value) => BigInt(Math.round(value))),
    );
    writer.close(at);
    if (--untilTurn > 0) continue;
    untilTurn = samplesPerTurn;
    await yieldTurn();
  }
  valueType(writer, 0x5a, tables, ...options.periodType);
  tables.write(writer);
  writer.int64(0x48, BigInt(Math.round(options.timeMs * 1e6)));
  writer.int64(0x50, BigInt(Math.round(options.durationMs * 1e6)));
  writer.int64(0x60, BigInt(Math.round(options.period)));
  return writer.finish();
}

const samplesPerTurn = 500;

function valueType(writer: Writer, tag: number, tables: ProfileTables, type: string, unit: string): void {
  const at = writer.open(tag);
  writer.int64(0x08, BigInt(tables.string(type)));
  writer.int64(0x10, BigInt(tables.string(unit)));
  writer.close(at);
}

function packed(writer: Writer, tag: number, values: readonly bigint[]): void {
  const at = writer.open(tag);
  for (const value of values) writer.int64(0, value);
  writer.close(at);
}

/** Strings, functions and locations, each written once and referenced by number. */
class ProfileTables {
  private readonly strings = new Map<string, number>([['', 0]]);
  private readonly functions = new Map<string, { readonly id: number; readonly frame: ProfileFrame }>();
  private readonly locations = new Map<
    string,
    { readonly id: number; readonly functionId: number; readonly line: number }
  >();

  string(value: string): number {
    const known = this.strings.get(value) ?? this.strings.size;
    this.strings.set(value, known);
    return known;
  }

  location(frame: ProfileFrame): number {
    const key = `${frame.functionName}\0${frame.file}`;
    const owner = this.functions.get(key) ?? { id: this.functions.size + 1, frame };
    this.functions.set(key, owner);
    const place = `${key}\0${frame.line}`;
    const known = this.locations.get(place) ?? { id: this.locations.size + 1, functionId: owner.id, line: frame.line };
    this.locations.set(place, known);
    return known.id;
  }

  write(writer: Writer): void {
    for (const { id, functionId, line } of this.locations.values()) {
      const at = writer.open(0x22);
      writer.uint64(0x08, BigInt(id));
      const lineAt = writer.open(0x22);
      writer.uint64(0x08, BigInt(functionId));
      writer.int64(0x10, BigInt(line));
      writer.close(lineAt);
      writer.close(at);
    }
    for (const { id, frame } of this.functions.values()) {
      const at = writer.open(0x2a);
      writer.uint64(0x08, BigInt(id));
      writer.int64(0x10, BigInt(this.string(frame.functionName)));
      writer.int64(0x18, BigInt(this.string(frame.functionName)));
      writer.int64(0x20, BigInt(this.string(frame.file)));
      writer.close(at);
    }
    for (const value of this.strings.keys()) writer.string(0x32, value);
  }
}
