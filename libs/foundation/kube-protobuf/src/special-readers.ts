import type { Reader } from '@podwright/protobuf-wire';
import { delimited, varint } from './wire-types.js';

type Scalar = readonly [number: number, value: string | number];

/** Reads a message whose JSON has another shape, up to `end`. */
type SpecialReader = (reader: Reader, end: number) => unknown;

const special =
  (toJson: (scalars: readonly Scalar[]) => unknown): SpecialReader =>
  (reader, end) => {
    const scalars: Scalar[] = [];
    while (reader.pos < end) {
      const tag = reader.tag();
      if ((tag & 7) === delimited) scalars.push([tag >>> 3, reader.string()]);
      else if ((tag & 7) === varint) scalars.push([tag >>> 3, Number(reader.int64())]);
      else reader.skip(tag);
    }
    return toJson(scalars);
  };

const first = (scalars: readonly Scalar[], wanted: number): string | number | undefined =>
  scalars.find(([number]) => number === wanted)?.[1];
const text = (scalars: readonly Scalar[], wanted: number): string => String(first(scalars, wanted) ?? '');

const texts = special((scalars) => scalars.map(([, value]) => value));

const [secondsTag, nanosTag] = [1 * 8 + varint, 2 * 8 + varint];

// Years of four digits, as RFC 3339 has them.
const [firstSecond, lastSecond] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(
  (time) => Date.parse(time) / 1_000,
) as [number, number];
const mostNanos = 999_999_999;

// A pod has a dozen times, most of them one after the other and alike.
let [lastSeconds, lastText] = [0, '1970-01-01T00:00:00'];

function secondsText(seconds: number): string {
  if (seconds !== lastSeconds)
    [lastSeconds, lastText] = [seconds, new Date(seconds * 1_000).toISOString().slice(0, 19)];
  return lastText;
}

const time =
  (fractionDigits: number): SpecialReader =>
  (reader, end) => {
    if (reader.pos >= end) return undefined;
    let [seconds, nanos] = [0, 0];
    while (reader.pos < end) {
      const tag = reader.tag();
      if (tag === secondsTag) seconds = Number(reader.int64());
      else if (tag === nanosTag) nanos = Number(reader.int64());
      else reader.skip(tag);
    }
    if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos > mostNanos)
      throw new RangeError(`malformed message: a time of ${seconds} s and ${nanos} ns`);
    const fraction = fractionDigits === 0 ? '' : `.${String(nanos).padStart(9, '0').slice(0, fractionDigits)}`;
    return `${secondsText(seconds)}${fraction}Z`;
  };

const rawJson = special((scalars) => {
  const raw = text(scalars, 1);
  if (raw === '') return undefined;
  try {
    return JSON.parse(raw) as unknown;
  } catch (error) {
    throw new RangeError(`malformed message: a raw object that is not JSON`, { cause: error });
  }
});

/** By message; undefined from a reader means that JSON has no field. */
export const specialReaders: Readonly<Record<string, SpecialReader>> = {
  'meta.v1.Time': time(0),
  'meta.v1.MicroTime': time(6),
  'meta.v1.FieldsV1': rawJson,
  'runtime.RawExtension': rawJson,
  'api.resource.Quantity': special((scalars) => text(scalars, 1)),
  'util.intstr.IntOrString': special((scalars) =>
    first(scalars, 1) === 1 ? text(scalars, 3) : Number(first(scalars, 2) ?? 0),
  ),
  'authentication.v1.ExtraValue': texts,
  'authorization.v1.ExtraValue': texts,
  'certificates.v1.ExtraValue': texts,
  'certificates.v1beta1.ExtraValue': texts,
};
