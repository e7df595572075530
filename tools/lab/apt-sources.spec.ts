import { describe, expect, it } from '@jest/globals';
import { distributionArchive, parseDeb822Sources, parseOneLineSources, renderSource } from './apt-sources.js';

describe('parseOneLineSources', () => {
  it('reads options, suite and components, and skips comments and source packages', () => {
    const text = [
      '# deb http://mirror.example/debian old main',
      'deb [arch=amd64 signed-by=/keys/a.gpg] http://mirror.example/debian bookworm main contrib # comment',
      'deb-src http://mirror.example/debian bookworm main',
      'deb http://mirror.example/security bookworm-security main',
    ].join('\n');
    expect(parseOneLineSources(text)).toEqual([
      {
        uris: ['http://mirror.example/debian'],
        suites: ['bookworm'],
        components: ['main', 'contrib'],
        signedBy: '/keys/a.gpg',
      },
      { uris: ['http://mirror.example/security'], suites: ['bookworm-security'], components: ['main'] },
    ]);
  });
});

describe('parseDeb822Sources', () => {
  const text = `Types: deb deb-src
# a comment within the stanza
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /keys/debian.gpg

Types: deb
URIs: http://other.example/
Suites: bookworm
Components: main
Enabled: no

Types: deb-src
URIs: http://mirror.example/debian
Suites: bookworm
Components: main
`;

  it('reads stanzas, without the disabled ones and those of source packages', () => {
    expect(parseDeb822Sources(text)).toEqual([
      {
        uris: ['http://mirror.example/debian'],
        suites: ['bookworm', 'bookworm-updates'],
        components: ['main'],
        signedBy: '/keys/debian.gpg',
      },
    ]);
  });

  it('keeps an inline key with its indentation', () => {
    const key = 'Types: deb\nURIs: http://a.example\nSuites: s\nComponents: main\nSigned-By:\n -----BEGIN\n .\n abc\n';
    const [source] = parseDeb822Sources(key);
    expect(source?.signedBy).toBe('\n -----BEGIN\n .\n abc');
    expect(source && renderSource(source, 'newer')).toContain('Signed-By: \n -----BEGIN\n .\n abc\n');
  });
});

describe('distributionArchive', () => {
  it("takes the archive of the machine's suite itself, and renders another suite of it", () => {
    const sources = [
      { uris: ['http://mirror.example/security'], suites: ['bookworm-security'], components: ['main'] },
      { uris: ['http://vendor.example'], suites: ['bookworm'], components: ['stable'] },
      { uris: ['http://mirror.example/debian'], suites: ['bookworm'], components: ['main'], signedBy: '/keys/d.gpg' },
    ];
    const archive = distributionArchive(sources, 'bookworm');
    expect(archive?.uris).toEqual(['http://mirror.example/debian']);
    expect(archive && renderSource(archive, 'forky')).toBe(
      'Types: deb\nURIs: http://mirror.example/debian\nSuites: forky\nComponents: main\nSigned-By: /keys/d.gpg\n',
    );
    expect(distributionArchive(sources, 'trixie')).toBeUndefined();
  });
});
