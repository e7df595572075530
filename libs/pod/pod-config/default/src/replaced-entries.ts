import type { DirectoryEventKind } from '@podwright/filesystem';
import type { Clock } from '@podwright/time';

interface Renames {
  readonly lastMs: number;
  /** One of the events may be the entry's removal. */
  readonly mayBeRemoval: boolean;
  /** A further event followed that one before a look: the entry was there again. */
  readonly replaced: boolean;
  /** This is the further event of a removal before the last look, unless the entry has changed since that look. */
  replacedBeforeLook: boolean;
  looked: boolean;
}

// The second event of a removal and creation may arrive after a look that has found the new file already.
const lateEventMs = 100;

/**
 * Entries of a directory that were removed and made anew between two looks. Node.js reports one event for the name each
 * time that an entry is created, removed, or moved from or to its name, without saying which. So a lone event on an
 * entry that is still there is a file that was renamed over it, and two are its removal and creation. A rename over it
 * within the directory also reports the old name just before, and does not count as a removal. Two renames from outside
 * between two looks cannot be told from a removal and creation.
 */
export class ReplacedEntries {
  private readonly renames = new Map<string, Renames>();
  /** The name of the event just before, when it may be the old name of a rename. */
  private oldName: string | undefined;

  /** `isKnown`: the last look has found the entry. */
  constructor(
    private readonly clock: Clock,
    private readonly isKnown: (name: string) => boolean,
  ) {}

  note(name: string | undefined, kind: DirectoryEventKind): void {
    const from = this.oldName;
    // The new name of a rename is not the old name of another one.
    this.oldName = kind === 'rename' && (from === undefined || from === name) ? name : undefined;
    if (kind !== 'rename' || name === undefined) return;
    const lastMs = this.clock.monotonic();
    const last = this.renames.get(name);
    const unseen = last?.looked === false ? last : undefined;
    const seen = last?.looked === true && lastMs - last.lastMs <= lateEventMs ? last : undefined;
    // Several entries that are removed one after the other are not renames over each other.
    const renamedOver = from !== undefined && from !== name && !this.isKnown(from);
    this.renames.set(name, {
      lastMs,
      mayBeRemoval: unseen?.mayBeRemoval === true || (this.isKnown(name) && !renamedOver),
      replaced: unseen?.replaced === true || unseen?.mayBeRemoval === true,
      replacedBeforeLook: unseen?.replacedBeforeLook === true || seen?.mayBeRemoval === true,
      looked: false,
    });
  }

  /** Those of `names` that were replaced. Reports each replacement once. `isUnchanged`: since the last look. */
  async take(names: readonly string[], isUnchanged: (name: string) => Promise<boolean>): Promise<readonly string[]> {
    const noted = names.flatMap((name) => {
      const renames = this.renames.get(name);
      return renames === undefined ? [] : [{ name, renames, orUnchanged: renames.replacedBeforeLook }];
    });
    for (const renames of this.renames.values()) {
      renames.looked = true;
      // At the look after this one, the file is always as this one has found it.
      renames.replacedBeforeLook = false;
    }
    const replaced: string[] = [];
    for (const { name, renames, orUnchanged } of noted) {
      if (!renames.replaced && !(orUnchanged && (await isUnchanged(name)))) continue;
      replaced.push(name);
      // An event that came while this looked at the entry counts for the next look.
      if (this.renames.get(name) === renames) this.renames.delete(name);
    }
    return replaced;
  }
}
