const heading = /^## (?:Where to change what|The map)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/**
 * Files and folders that a README names in the table of "Where to change what", or of "The map", relative to the repository.
 * `src/...` lies in the README's own folder, or in the folder that the same row has named before.
 */
export function changedPlaces(markdown: string, folder: string): readonly string[] {
  const rows = (heading.exec(markdown)?.[1] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    let current = folder;
    return [...row.matchAll(/`((?:src|libs|apps|tools)\/[^`\s]*)`/g)].map(([, place = '']) => {
      if (place.startsWith('src/')) return `${current}/${place}`;
      return (current = place);
    });
  });
}
