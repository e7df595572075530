import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

/**
 * A PNG of eight bits per channel with the 256 colours that most of its points have; the others become the nearest of
 * them. Pages have few colours, so that nobody sees it, and the file is half as large.
 */
export function withPalette(png: Buffer): Buffer {
  const { width, height, channels, points } = decode(png);
  const counts = new Map<number, number>();
  const colourAt = (index: number): number => points.readUIntBE(index * channels, 3);
  for (let index = 0; index < width * height; index++) {
    const colour = colourAt(index);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostColours)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const lines = Buffer.alloc((width + 1) * height); // each line begins with its filter, 0
  for (let index = 0; index < width * height; index++) {
    const colour = colourAt(index);
    const place = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, place);
    lines[index + Math.floor(index / width) + 1] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // eight bits, by palette
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly points: Buffer;
}

function decode(png: Buffer): Decoded {
  const parts: Buffer[] = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [width, height, bits, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  if (bits !== 8 || (type !== 2 && type !== 6)) throw new Error(`a PNG of type ${type} with ${bits} bits is not known`);
  const channels = type === 2 ? 3 : 4;
  return { width, height, channels, points: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels) };
}

/** Undoes the filters of the lines, as chapter 9 of the PNG specification says. */
function unfiltered(data: Buffer, lineBytes: number, step: number): Buffer {
  const points = Buffer.alloc((data.length / (lineBytes + 1)) * lineBytes);
  for (let line = 0; line * (lineBytes + 1) < data.length; line++) {
    const from = line * (lineBytes + 1);
    const filter = data[from];
    for (let byte = 0; byte < lineBytes; byte++) {
      const to = line * lineBytes + byte;
      const left = byte < step ? 0 : (points[to - step] ?? 0);
      const above = line === 0 ? 0 : (points[to - lineBytes] ?? 0);
      const corner = byte < step || line === 0 ? 0 : (points[to - lineBytes - step] ?? 0);
      points[to] = (data[from + 1 + byte] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return points;
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const [a, b, c] = [left, above, corner].map((each) => Math.abs(left + above - corner - each)) as [
        number,
        number,
        number,
      ];
      return a <= b && a <= c ? left : b <= c ? above : corner;
    }
    default:
      return 0;
  }
}

function nearest(palette: readonly number[], colour: number): number {
  const distance = (other: number): number =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  let best = 0;
  palette.forEach((other, place) => {
    if (distance(other) < distance(palette[best] ?? 0)) best = place;
  });
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
