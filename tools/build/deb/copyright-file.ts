import type { PackageTerms } from './package-terms.js';

const apache = 'Apache-2.0';

/** The file `copyright` of the package: the terms of everything inside the executable. */
export function copyrightFile(
  packages: readonly PackageTerms[],
  node: { readonly version: string; readonly licenseText: string },
): string {
  const named = ({ name, version }: { readonly name: string; readonly version: string }): string =>
    `${name} ${version}`;
  const underApache = packages.filter(({ license }) => license === apache);
  // Packages of one project often have one text.
  const others = new Map<string, PackageTerms[]>();
  for (const each of packages.filter(({ license }) => license !== apache)) {
    const text = each.licenseText.trim();
    others.set(text, [...(others.get(text) ?? []), each]);
  }
  const sections = [
    [
      'Podwright is under the Apache License, version 2.0: /usr/share/common-licenses/Apache-2.0 on Debian systems.',
      'Copyright: the authors of Podwright.',
      'The executable /usr/bin/kubelet has the works below inside, each under the terms that stand with it.',
    ].join('\n'),
    `Under the Apache License, version 2.0, as above:\n${underApache.map((each) => `  ${named(each)}`).join('\n')}`,
    ...[...others].map(
      ([text, [first, ...more]]) =>
        `${[first, ...more].map((each) => each && named(each)).join(', ')} (${first?.license ?? ''}):\n\n${text}`,
    ),
    `${named({ name: 'Node.js', version: node.version })}:\n\n${node.licenseText.trim()}`,
  ];
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
