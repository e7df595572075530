import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { attack } from '../attack.js';
import { victim } from '../attack-target.js';

/** The folder that `/logs/` serves. */
const logFolder = '/var/log';

interface Served {
  /** True when the page of a harmless file came back. */
  readonly proof: boolean;
  /** Requests whose answer had the content of a file outside the folder. */
  readonly leaked: readonly string[];
  readonly html: readonly string[];
}

export const logTraversal = attack<Served>({
  name: 'log-traversal',
  tries:
    'files outside /var/log through `/logs/`: dots in every encoding, links in the folder; a log page with markup; `/containerLogs/` of names with dots',
  mustNot: 'a file outside the folder is read, or a log is served as a page that a browser runs',
  pastFault: 'the escape by links from pods that mount /var/log',
  quick: true,
  attempt: async (target) => {
    const folder = await mkdtemp(path.join(logFolder, 'podwright-attacks-'));
    try {
      await writeFile(path.join(folder, 'plain.html'), '<script>plain-log</script>\n');
      await symlink(target.secretFile, path.join(folder, 'link'));
      await symlink(target.dir, path.join(folder, 'folder'));
      await symlink(path.relative(folder, target.secretFile), path.join(folder, 'relative'));
      const name = path.basename(folder);
      const up = path.relative(logFolder, target.secretFile).split('/');
      const encoded = ['..', '%2e%2e', '.%2e', '..%00', '..;'].map((dots) =>
        up.map((part) => (part === '..' ? dots : part)),
      );
      const paths = [
        ...encoded.map((parts) => `/logs/${parts.join('/')}`),
        `/logs/${up.join('%2f')}`,
        `/logs/${up.join('%5c')}`,
        `/logs/${up.join('%252f')}`,
        `/logs//${target.secretFile}`,
        `/logs/${name}/link`,
        `/logs/${name}/folder/secret`,
        `/logs/${name}/relative`,
        `/logs/${name}/%2e%2e/${name}/link`,
        `/containerLogs/default/${victim}/..%2f..%2f..%2f..%2f${up.join('%2f')}`,
        `/containerLogs/..%2f..%2fdefault/${victim}/main`,
        `/logs/?query=${encodeURIComponent(target.secretFile)}`,
        `/logs/?query=${up.join('/')}`,
        `/logs/?query=/${name}/link`,
      ];
      const leaked: string[] = [];
      for (const each of paths) {
        const { body } = await target.call({ path: each }, 'operator');
        if (body.includes(target.secret)) leaked.push(each);
      }
      const { body, head } = await target.call({ path: `/logs/${name}/plain.html` }, 'operator');
      const html = /^content-type:\s*text\/html/im.test(head) ? [`/logs/.../plain.html is served as HTML`] : [];
      return { proof: body.includes('plain-log'), leaked, html };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  harms: ({ proof, leaked, html }) => [
    ...(proof ? [] : ['/logs/ does not serve a plain file, so its refusals prove nothing']),
    ...leaked.map((request) => `GET ${request} read a file outside the folder`),
    ...html,
  ],
  weak: [
    { proof: true, leaked: ['/logs/x/link'], html: [] },
    { proof: true, leaked: [], html: ['/logs/x.html is served as HTML'] },
    { proof: false, leaked: [], html: [] },
  ],
});

interface Queried {
  readonly statuses: readonly { readonly query: string; readonly status: number }[];
  readonly ran: boolean;
  /** True when the kubelet answered another request within the time that one answer may take. */
  readonly answers: boolean;
}

export const logQuery = attack<Queried>({
  name: 'log-query',
  tries:
    'log queries (gate NodeLogQuery on) whose service, times, pattern or boot carry commands, flags of journalctl, newlines, and patterns that blow up',
  mustNot: 'a command runs, a flag reaches journalctl, or the kubelet stops answering',
  pastFault: 'CVE-2024-9042',
  attempt: async (target) => {
    const proof = path.join(target.dir, 'log-query-ran');
    const commands = [
      `;touch ${proof}`,
      `$(touch ${proof})`,
      `\`touch ${proof}\``,
      `|touch ${proof}`,
      `\ntouch ${proof}\n`,
    ];
    const queries = [
      ...commands.flatMap((text) => [
        `query=${encodeURIComponent(text)}`,
        `query=kubelet&pattern=${encodeURIComponent(text)}`,
      ]),
      ...commands.map((text) => `query=kubelet&sinceTime=${encodeURIComponent(text)}`),
      ...[`--file=${target.secretFile}`, `--directory=${target.dir}`, `-D ${target.dir}`].flatMap((flag) => [
        `query=${encodeURIComponent(flag)}`,
        `query=kubelet&boot=${encodeURIComponent(flag)}`,
      ]),
      `query=kubelet&pattern=${encodeURIComponent('(a+)+$'.repeat(20))}`,
      `query=kubelet&tailLines=${'9'.repeat(400)}`,
      `query=kubelet&__proto__=x&constructor=y`,
      Array.from({ length: 500 }, (_, index) => `query=s${index}`).join('&'),
    ];
    const statuses: Queried['statuses'][number][] = [];
    for (const query of queries) {
      const { status, body } = await target.call({ path: `/logs/?${query}` }, 'operator');
      statuses.push({ query, status: body.includes(target.secret) ? 200 : status });
    }
    return { statuses, ran: existsSync(proof), answers: await target.answers() };
  },
  harms: ({ statuses, ran, answers }) => [
    ...(ran ? ['a command in a query ran'] : []),
    ...statuses.filter(({ status }) => status === -1).map(({ query }) => `no answer to ?${query.slice(0, 80)}`),
    ...statuses
      .filter(({ query, status }) => status === 200 && /=--|=-D|%2F.*touch/.test(query))
      .map(({ query }) => `?${query.slice(0, 80)} was taken`),
    ...(answers ? [] : ['the kubelet no longer answers']),
  ],
  weak: [
    { statuses: [], ran: true, answers: true },
    { statuses: [{ query: 'query=kubelet&pattern=x', status: -1 }], ran: false, answers: true },
    { statuses: [{ query: 'query=--file', status: 200 }], ran: false, answers: true },
    { statuses: [], ran: false, answers: false },
  ],
});
