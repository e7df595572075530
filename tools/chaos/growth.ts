/** One look at what must stay flat while pods come and go. */
export type Sample = Readonly<Record<string, number>>;

/** What a quantity may grow by, of itself and in its unit; what grows less is noise. */
interface Slack {
  readonly part: number;
  readonly units: number;
}

const ofTheProcess = new Set(['open files', 'threads', 'children of the kubelet']);

/** A heap is collected late. Of what pods have, a look may see that of one or two more. */
function slackOf(quantity: string): Slack {
  if (quantity.endsWith('MiB')) return { part: 0.08, units: 6 };
  return { part: 0, units: ofTheProcess.has(quantity) ? 4 : 16 };
}

/**
 * Says for each quantity that grew from the middle third of the samples to the last: from its lowest to its lowest, as
 * garbage collection makes saw teeth. The first third is warming up. Fewer than six samples prove nothing, and throw.
 */
export function growth(samples: readonly Sample[]): readonly string[] {
  if (samples.length < 6) throw new Error(`${samples.length} samples are too few to tell whether anything grows`);
  const third = Math.floor(samples.length / 3);
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(-third);
  return Object.keys(samples[0] ?? {}).flatMap((quantity) => {
    const [before, after] = [lowestOf(middle, quantity), lowestOf(last, quantity)];
    const { part, units } = slackOf(quantity);
    return after > before * (1 + part) + units
      ? [`${quantity} grew from ${before.toFixed(0)} to ${after.toFixed(0)}`]
      : [];
  });
}

const lowestOf = (samples: readonly Sample[], quantity: string): number =>
  Math.min(...samples.map((sample) => sample[quantity] ?? 0));

/** `before -> after` of each quantity. */
export const renderChange = (before: Sample, after: Sample): string =>
  Object.keys(before)
    .map((quantity) => `${quantity} ${(before[quantity] ?? 0).toFixed(0)} -> ${(after[quantity] ?? 0).toFixed(0)}`)
    .join(', ');
