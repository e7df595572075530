/** A value that something had from a time on. */
export interface Moment {
  /** Seconds since the scenario began. */
  readonly at: number;
  readonly value: string;
}

/** What can be seen of one object at one time: for each aspect, such as a condition, its value. */
export type Aspects = ReadonlyMap<string, string>;

const absent = '(not there)';

/** How each aspect of each object changed. */
export class Timeline {
  private readonly objects = new Map<string, Map<string, Moment[]>>();

  /** All aspects of an object as they are now; one that was there before and is not named is gone. */
  observe(object: string, aspects: Aspects, at: number): void {
    const known = this.aspectsOf(object);
    for (const aspect of known.keys()) if (!aspects.has(aspect)) this.change(known, aspect, absent, at);
    for (const [aspect, value] of aspects) this.change(known, aspect, value, at);
  }

  /** One more thing that happened to an object, such as an event. */
  happened(object: string, aspect: string, value: string, at: number): void {
    this.change(this.aspectsOf(object), aspect, value, at);
  }

  names(): readonly string[] {
    return [...this.objects.keys()].sort();
  }

  aspects(object: string): readonly string[] {
    return [...(this.objects.get(object)?.keys() ?? [])].sort();
  }

  moments(object: string, aspect: string): readonly Moment[] {
    return this.objects.get(object)?.get(aspect) ?? [];
  }

  private aspectsOf(object: string): Map<string, Moment[]> {
    const known = this.objects.get(object) ?? new Map<string, Moment[]>();
    this.objects.set(object, known);
    return known;
  }

  private change(known: Map<string, Moment[]>, aspect: string, value: string, at: number): void {
    const moments = known.get(aspect) ?? [];
    known.set(aspect, moments);
    if (moments.at(-1)?.value !== value) moments.push({ at, value });
  }
}

/** Everything that a timeline has, in order of objects and aspects. */
export function renderTimeline(timeline: Timeline): string {
  return timeline
    .names()
    .map((object) => {
      const aspects = timeline
        .aspects(object)
        .map((aspect) => `  ${aspect}\n${renderMoments(timeline.moments(object, aspect), '    ')}`);
      return `${object}\n${aspects.join('')}`;
    })
    .join('');
}

/**
 * Where the two differ: values that only one has seen, another order in which they came first, another last value. How
 * often and when is no difference. Empty when nowhere.
 */
export function renderDifferences(ours: Timeline, theirs: Timeline): string {
  const objects = [...new Set([...ours.names(), ...theirs.names()])].sort();
  return objects.map((object) => differencesOf(object, ours, theirs)).join('');
}

function differencesOf(object: string, ours: Timeline, theirs: Timeline): string {
  const aspects = [...new Set([...ours.aspects(object), ...theirs.aspects(object)])].sort();
  const different = aspects.map((aspect) => {
    const lines = differentMoments(ours.moments(object, aspect), theirs.moments(object, aspect));
    return lines === '' ? '' : `  ${aspect}\n${lines}`;
  });
  return different.every((text) => text === '') ? '' : `${object}\n${different.join('')}`;
}

function differentMoments(ours: readonly Moment[], theirs: readonly Moment[]): string {
  const [here, there] = [firstMoments(ours), firstMoments(theirs)];
  const onlyHere = here.filter(({ value }) => !there.some((other) => other.value === value));
  const onlyThere = there.filter(({ value }) => !here.some((other) => other.value === value));
  if (onlyHere.length > 0 || onlyThere.length > 0) {
    return renderMoments(onlyHere, '    kubelet ') + renderMoments(onlyThere, '    against ');
  }
  const sameOrder = here.every(({ value }, index) => there[index]?.value === value);
  if (!sameOrder) return renderMoments(here, '    kubelet first ') + renderMoments(there, '    against first ');
  const [lastHere, lastThere] = [ours.slice(-1), theirs.slice(-1)];
  if (lastHere[0]?.value === lastThere[0]?.value) return '';
  return renderMoments(lastHere, '    kubelet last ') + renderMoments(lastThere, '    against last ');
}

/** Each value once, in the order in which they came first. */
const firstMoments = (moments: readonly Moment[]): readonly Moment[] =>
  moments.filter(({ value }, index) => moments.findIndex((other) => other.value === value) === index);

const renderMoments = (moments: readonly Moment[], before: string): string =>
  moments.map(({ at, value }) => `${before}${at.toFixed(1).padStart(6)} ${value}\n`).join('');
