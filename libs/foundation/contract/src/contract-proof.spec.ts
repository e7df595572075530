import { beforeAll, describe, expect, it } from '@jest/globals';
import { breaks, breaksIn } from './breaks.js';
import { collectCases } from './collect-cases.js';
import { describeContractProof } from './contract-proof.js';
import { faultsOf } from './faults-of-case.js';
import type { Ways } from './faults-of-case.js';
import * as suites from './test-functions.js';

interface Door {
  open(): void;
  close(): void;
  isOpen(): boolean;
  opened(): Promise<void>;
}

interface DoorHarness {
  readonly door: Door;
}

function createDoor(): DoorHarness {
  let open = false;
  let wake = (): void => undefined;
  const opened = new Promise<void>((resolve) => (wake = resolve));
  const set = (value: boolean): void => {
    open = value;
    if (open) wake();
  };
  return { door: { open: () => set(true), close: () => set(false), isOpen: () => open, opened: () => opened } };
}

function describeDoorContract(name: string, create: () => DoorHarness): void {
  suites.describe(`${name} as a Door`, () => {
    let door: Door;
    suites.beforeEach(() => {
      ({ door } = create());
    });
    suites.afterEach(() => door.close());

    suites.it('is closed at first', () => {
      suites.expect(door.isOpen()).toBe(false);
    });

    suites.it('wakes who waits', async () => {
      const waiting = door.opened();
      door.open();
      await waiting;
    });

    suites.describe('closes', () => {
      suites.it.each([1, 2])('after %i times open', (times) => {
        for (let time = 0; time < times; time++) door.open();
        suites.expect(door.isOpen()).toBe(true);
        door.close();
        suites.expect(door.isOpen()).toBe(false);
      });
      suites.it.skip('with a key', () => undefined);
    });

    suites.it('may be opened', () => {
      door.open();
    });
  });
}

const suite = (create: () => DoorHarness): void => describeDoorContract('broken', create);

describeContractProof('Door', (create) => suite(create), createDoor, {
  'is closed at first': {
    'it is open': breaksIn('door', () => ({ isOpen: () => true })),
  },
  'wakes who waits': {
    'nobody wakes': breaksIn('door', () => ({ opened: () => new Promise(() => undefined) })),
  },
  'closes after %i times open': {
    'close does nothing': breaksIn('door', () => ({ close: () => undefined })),
    'open does nothing': breaksIn('door', () => ({ open: () => undefined })),
  },
  // Asserts next to nothing: only an error fails it.
  'may be opened': {
    'open throws': breaksIn('door', () => ({
      open: () => {
        throw new Error('it is stuck');
      },
    })),
  },
});

const placeOf = (title: string): number =>
  collectCases(() => suite(createDoor)).findIndex((each) => each.title === title);

describe('what speaks against a proof', () => {
  const faults = (title: string, ways: Ways<() => DoorHarness>): Promise<readonly string[]> =>
    faultsOf(placeOf(title), suite, createDoor, ways);

  it('is a case that passes on what is broken', async () => {
    const found = await faults('may be opened', {
      'open does nothing': breaksIn('door', () => ({ open: () => undefined })),
    });
    expect(found).toEqual(['"may be opened", when open does nothing: passes, no expectation looks at what is broken']);
  });

  it('is a case that crashes', async () => {
    const door = null as unknown as Door;
    const found = await faults('is closed at first', { 'there is no door': () => ({ door }) });
    expect(found).toEqual([expect.stringContaining('crashes before an expectation fails, TypeError')]);
  });

  it('is a breakage that fails itself', async () => {
    const fails = (): never => {
      throw new Error('no wood');
    };
    expect(await faults('is closed at first', { 'it is not built': fails })).toEqual([
      expect.stringContaining('the breakage itself fails, Error: no wood'),
    ]);
  });

  it('is a case that fails on the good implementation', async () => {
    const brokenSuite = (create: () => DoorHarness): void =>
      suite(() => ({ door: breaks(create().door, { isOpen: () => true }) }));
    expect(await faultsOf(placeOf('is closed at first'), brokenSuite, createDoor, {})).toEqual([
      expect.stringContaining('does not pass on the good implementation'),
    ]);
  });
});

describe('the cases of a suite', () => {
  const ran: string[] = [];
  const step = (name: string) => (): void => void ran.push(name);
  const titles = collectCases(() =>
    suites.describe('X', () => {
      suites.beforeAll(step('outer all'));
      suites.afterAll(step('outer end'));
      suites.describe('inside', () => {
        suites.beforeEach(step('inner each'));
        suites.afterEach(step('inner end'));
        suites.it('runs', step('body'));
        suites.it.each([{ kind: 'x', of: { a: 1 } }])('runs $kind of $of.a', step('row'));
        suites.it.each<[string, object]>([['a', { b: 1 }]])('runs %s, row %# of %j: 100 %%', step('row'));
      });
      suites.beforeEach(step('outer each'));
    }),
  );

  beforeAll(() => {
    ran.length = 0;
  });

  it('have the titles that jest prints, without the first', () => {
    expect(titles.map(({ title }) => title)).toEqual([
      'inside runs',
      'inside runs "x" of 1',
      'inside runs a, row 0 of {"b":1}: 100 %',
    ]);
    expect(titles[2]?.template).toBe('inside runs %s, row %# of %j: 100 %%');
  });

  it('run within the hooks around them', () => {
    const [first] = titles;
    for (const each of [...(first?.before ?? []), first?.body, ...(first?.after ?? [])]) each?.();
    expect(ran).toEqual(['outer all', 'outer each', 'inner each', 'body', 'inner end', 'outer end']);
  });
});
