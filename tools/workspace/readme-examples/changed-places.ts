const heading = /^## Where to change what\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/** Files and folders in the "Where to change what" table of a README, relative to the repository. */
export function changedPlaces(markdown: string, folder: string): readonly string[] {
  return placesInTables(heading.exec(markdown)?.[1] ?? '', folder);
}

/**
 * Files and folders in all tables of a text. `src/...` is relative to `folder`, or to the folder that the same row
 * named before.
 */
export function placesInTables(markdown: string, folder: string): readonly string[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    let current = folder;
    return [...row.matchAll(/`((?:src|libs|apps|tools|docs|examples)\/[^`\s]*)`/g)].map(([, place = '']) => {
      if (place.startsWith('src/')) return `${current}/${place}`;
      return (current = place);
    });
  });
}
