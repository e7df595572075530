import type { ConsoleSample } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { historyMs } from '../../src/history-window.js';
import { colourOf, colours } from '../state/theme.js';
import { clock } from '../text/quantities.js';

export interface ChartLine {
  readonly label: string;
  readonly colour: '--line-1' | '--line-2' | '--line-3';
  /** So that lines differ without colour. */
  readonly dash?: readonly number[];
  readonly value: (sample: ConsoleSample) => number | undefined;
}

interface ChartProps {
  readonly title: string;
  readonly samples: readonly ConsoleSample[];
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
  /** The scale counts in powers of two. */
  readonly binary?: boolean;
  /** Lowest top of the scale, so that idle noise does not look like load. */
  readonly atLeast: number;
  /** Without samples for so long nobody looked: the line has a hole. */
  readonly gapMs?: number;
}

const height = 132;

/** Ten minutes of some numbers, with their latest values in words. */
export function Chart({
  title,
  samples,
  lines,
  format,
  binary = false,
  atLeast,
  gapMs = 6_000,
}: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = colours.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new uPlot(
      options({ lines, format, binary, atLeast, width: element.clientWidth }),
      dataOf(samples, lines, gapMs),
      element,
    );
    plot.current = drawn;
    const sizes = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      drawn.destroy();
    };
    // The data follows in the effect below.
  }, [theme, lines]);
  useEffect(() => plot.current?.setData(dataOf(samples, lines, gapMs)), [samples, lines]);
  const last = samples.at(-1);
  return (
    <figure class="chart" aria-label={title}>
      <figcaption>
        <span class="chart-title">{title}</span>
        {lines.map(({ label, colour, value }) => {
          const number = last === undefined ? undefined : value(last);
          return (
            <span key={label} class="chart-value">
              <span class={`line-sample line-sample${colour.slice('--line'.length)}`} aria-hidden="true" />
              {label} <b>{number === undefined ? '–' : format(number)}</b>
            </span>
          );
        })}
      </figcaption>
      <div ref={place} class="chart-picture" aria-hidden="true" />
    </figure>
  );
}

type Drawing = Required<Pick<ChartProps, 'lines' | 'format' | 'binary' | 'atLeast'>> & { readonly width: number };

const powersOfTwo = Array.from({ length: 60 }, (_, power) => 2 ** power);

function options({ lines, format, binary, atLeast, width }: Drawing): uPlot.Options {
  const quiet = colourOf('--text-quiet');
  const grid = { stroke: colourOf('--hairline'), width: 1 };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: true, range: (_plot, _min, max) => [max - historyMs / 1000, max] },
      y: { range: (_plot, _min, max) => [0, Math.max(atLeast, (max ?? 0) * 1.1)] },
    },
    axes: [
      {
        stroke: quiet,
        grid,
        ticks: { show: false },
        font: '11px system-ui',
        size: 22,
        space: 60,
        values: (_plot, ticks) => ticks.map((tick) => clock(tick * 1000).slice(0, 5)),
      },
      {
        stroke: quiet,
        grid,
        ticks: { show: false },
        font: '11px system-ui',
        size: 66,
        space: 34,
        ...(binary ? { incrs: powersOfTwo } : {}),
        values: (_plot, ticks) => ticks.map(format),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, dash }, index): uPlot.Series => {
        const stroke = colourOf(colour);
        return {
          label,
          stroke,
          width: 1.5,
          ...(dash === undefined ? {} : { dash: [...dash] }),
          ...(index === 0 ? { fill: colourOf('--line-1-fill') } : {}),
          points: { show: false },
          spanGaps: false,
        };
      }),
    ],
  };
}

function dataOf(samples: readonly ConsoleSample[], lines: readonly ChartLine[], gapMs: number): uPlot.AlignedData {
  const times: number[] = [];
  const values: (number | null)[][] = lines.map(() => []);
  let before: number | undefined;
  for (const sample of samples) {
    if (before !== undefined && sample.atMs - before > gapMs) {
      times.push((before + 1) / 1000);
      values.forEach((column) => column.push(null));
    }
    before = sample.atMs;
    times.push(sample.atMs / 1000);
    lines.forEach(({ value }, index) => values[index]?.push(value(sample) ?? null));
  }
  return [times, ...values];
}
