import type { Answer } from '@podwright/http-answer';

const pages = {
  allocs: 'What is allocated during the time given by seconds (default 5), freed or not.',
  cmdline: 'The command line of this process, its arguments parted by NUL.',
  heap: 'What is allocated during the time given by seconds (default 5) and still alive after it.',
  profile: 'What the CPU does during the time given by seconds (default 30).',
  symbol: 'For pprof, which asks whether there are names: there are, in every profile.',
} as const;

/** The page that lists the profiles. */
export function pprofIndex(): Answer {
  const rows = Object.entries(pages).map(
    ([name, description]) => `<tr><td><a href="${name}">${name}</a></td><td>${description}</td></tr>`,
  );
  const body = `<html>
<head>
<title>/debug/pprof/</title>
</head>
<body>
<p>Profiles of a JavaScript process by V8, as gzipped pprof messages (profile.proto): <code>go tool pprof</code> reads them.
Go's goroutine, block, mutex, threadcreate and trace have no counterpart here.</p>
<table>
${rows.join('\n')}
</table>
</body>
</html>
`;
  const headers = { 'X-Content-Type-Options': 'nosniff', 'Content-Type': 'text/html; charset=utf-8' };
  return { status: 200, headers, body };
}
