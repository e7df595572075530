/** What git says about the checkout that is to be published. */
export interface CheckoutState {
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[];
  readonly commit: string;
  readonly authorEmail: string;
  /** Annotated tags at the commit. */
  readonly tags: readonly { readonly name: string; readonly taggerEmail: string }[];
}

const mostChanges = 20;

/**
 * The reason not to work on a tree with changes. For --prepare: versions that it wrote before and nobody committed would
 * be raised once more, and the change logs would have everything twice.
 */
export function changeRefusals(changes: CheckoutState['changes']): readonly string[] {
  if (changes.length === 0) return [];
  const shown = changes.slice(0, mostChanges).map((line) => `\n  ${line}`);
  const more = changes.length > mostChanges ? `\n  and ${changes.length - mostChanges} more` : '';
  return [`the working tree has changes; commit or remove them:${shown.join('')}${more}`];
}

/** Reasons not to publish; none if all is well. A second person approves by tagging the commit. */
export function publishRefusals({ changes, commit, authorEmail, tags }: CheckoutState): readonly string[] {
  const refusals = [...changeRefusals(changes)];
  const releases = tags.filter(({ name }) => name.startsWith('release-'));
  const named = releases.map(({ name }) => name).join(', ');
  if (releases.length === 0) {
    refusals.push(
      `no annotated tag release-* is at ${commit.slice(0, 12)}; a second person reviews the commit and approves it: git tag -a release-YYYY-MM-DD`,
    );
  } else if (releases.every(({ taggerEmail }) => taggerEmail.toLowerCase() === authorEmail.toLowerCase())) {
    refusals.push(`${named}: ${authorEmail} made both the tag and the commit; a second person has to tag it`);
  }
  return refusals;
}
