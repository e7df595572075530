import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { configMaps } from '@podwright/kube-client-interface';
import { runCommand, tryCommand } from '@podwright/lab';
import { programCommand } from '../../start/program-command.js';
import { main, podManifest, script } from '../../acceptance/pod-manifests.js';
import { attack, NotApplicable } from '../attack.js';

interface Polluted {
  /** What the pod with these names found of its own. */
  readonly found: string;
  readonly expected: string;
  readonly runsPods: boolean;
  /** True when something of the names shows up where it was never set. */
  readonly leaked: boolean;
}

export const prototypes = attack<Polluted>({
  name: 'prototype-pollution',
  tries:
    '`__proto__`, `constructor` and `toString` as variables, keys, labels, names of volumes, queries, headers and fields of manifests',
  mustNot: 'a value reaches another pod or the kubelet, or the pod gets other values than its own',
  pastFault: 'prototype pollution, the class of JavaScript (CVE-2019-10744)',
  attempt: async (target) => {
    const { node } = target;
    for (const query of [
      '__proto__[polluted]=yes',
      '__proto__=yes&constructor=yes',
      'constructor[prototype][polluted]=yes',
    ]) {
      await target.call({ path: `/pods?${query}`, headers: ['__proto__: yes', 'constructor: yes'] }, 'operator');
      await target.call({ path: `/containerLogs/default/victim/main?${query}` }, 'operator');
    }
    const raw = `{"apiVersion":"v1","kind":"Pod","__proto__":{"polluted":"yes"},"metadata":{"name":"hostile-proto","__proto__":{"polluted":"yes"},"labels":{"__proto__":"yes"}},"spec":{"__proto__":{"hostNetwork":true},"containers":[{"name":"main","image":"x","__proto__":{"polluted":"yes"}}]}}`;
    await node.kubelet.write('proto.json', raw);
    await node.kubelet.write(
      'proto.yaml',
      'apiVersion: v1\nkind: Pod\n__proto__: {polluted: "yes"}\nconstructor: {prototype: {polluted: "yes"}}\n',
    );
    const odd = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
    const data: Record<string, string> = Object.fromEntries(odd.map((key) => [key, `map-${key}`]));
    await node.admin.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'constructor', namespace: 'default' },
      data,
    });
    const containers = [
      main({
        name: 'constructor',
        env: [
          ...odd.map((name) => ({ name, value: `own-${name}` })),
          { name: 'EXPANDED', value: '$(__proto__) $(constructor) $(valueOf)' },
        ],
        command: [
          ...script(
            'env | grep -E "^(constructor|__proto__|toString|EXPANDED)=" | sort; cat /map/__proto__ /map/constructor; echo; echo end; sleep 1000000',
          ),
        ],
        volumeMounts: [{ name: 'constructor', mountPath: '/map' }],
      }),
    ];
    const volumes = [{ name: 'constructor', configMap: { name: 'constructor' } }];
    const labels = { constructor: 'yes', toString: 'yes', valueOf: 'yes' };
    await node.create(
      podManifest(
        'constructor',
        { terminationGracePeriodSeconds: 1, containers, volumes },
        { labels, annotations: labels },
      ),
    );
    await node.untilReady('constructor');
    const found = await node.kubelet.waitFor('the pod has looked', async () => {
      const log = await target.logOf('constructor', 'constructor');
      return log.includes('end\n') && log;
    });
    await node.create(
      podManifest('plain', {
        terminationGracePeriodSeconds: 1,
        containers: [main({ command: [...script('env; sleep 1000000')] })],
      }),
    );
    const runsPods = await node.untilReady('plain').then(
      () => true,
      () => false,
    );
    const leaked =
      /polluted|own-|map-/.test(await target.logOf('plain')) ||
      (await target.call({ path: '/configz' }, 'operator')).body.includes('polluted');
    for (const pod of ['constructor', 'plain']) await node.delete(pod);
    for (const file of ['proto.json', 'proto.yaml']) await node.kubelet.remove(file);
    const lines = [
      'EXPANDED=own-__proto__ own-constructor $(valueOf)',
      '__proto__=own-__proto__',
      'constructor=own-constructor',
      'toString=own-toString',
    ];
    const sorted = (text: string): string => text.trim().split('\n').sort().join('\n');
    return {
      found: sorted(found),
      expected: sorted([...lines, 'map-__proto__map-constructor', 'end'].join('\n')),
      runsPods,
      leaked,
    };
  },
  harms: ({ found, expected, runsPods, leaked }) => [
    ...(found === expected ? [] : [`the pod found ${JSON.stringify(found)}`]),
    ...(runsPods ? [] : ['the node no longer runs pods']),
    ...(leaked ? ['a value shows up where it was never set'] : []),
  ],
  weak: [
    { found: 'x', expected: 'y', runsPods: true, leaked: false },
    { found: 'x', expected: 'x', runsPods: false, leaked: false },
    { found: 'x', expected: 'x', runsPods: true, leaked: true },
  ],
});

export const gitRepository = attack<{ readonly ran: boolean; readonly phase: string }>({
  name: 'git-repository',
  tries:
    'gitRepo volumes of a repository with hooks, into its own .git, and with flags of git as repository and revision',
  mustNot: 'a program of the repository runs on the machine',
  pastFault: 'CVE-2024-10220, CVE-2025-1767',
  attempt: async (target) => {
    if (
      await runCommand('git', ['--version']).then(
        () => false,
        () => true,
      )
    )
      throw new NotApplicable('there is no git on this machine');
    const repository = path.join(target.dir, 'repository');
    const proof = path.join(target.dir, 'hook-ran');
    await mkdir(path.join(repository, 'hooks'), { recursive: true });
    const hook = path.join(repository, 'hooks/post-checkout');
    await writeFile(hook, `#!/bin/sh\ntouch ${proof}\n`);
    await chmod(hook, 0o755);
    const git = (...args: string[]): Promise<string> =>
      runCommand('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    await git('init', '-q');
    await git('add', '-A');
    await git('commit', '-qm', 'hooks');
    const volumes = [
      { name: 'a', gitRepo: { repository, directory: 'x/.git', revision: 'HEAD' } },
      { name: 'b', gitRepo: { repository: `--upload-pack=touch ${proof};git-upload-pack`, directory: '.' } },
      { name: 'c', gitRepo: { repository: `ext::sh -c touch%20${proof}`, directory: '.' } },
    ];
    for (const volume of volumes) {
      const containers = [main({ volumeMounts: [{ name: volume.name, mountPath: '/git' }] })];
      await target.node.create(
        podManifest(`git-${volume.name}`, { terminationGracePeriodSeconds: 1, containers, volumes: [volume] }),
      );
    }
    const refused = /gitRepo|git-repo|not supported|no volume plugin|FailedMount|failed to/i;
    const said = await target.node.kubelet
      .waitFor(
        'the pods are refused or run',
        async () => {
          const events = JSON.stringify(await target.node.events('git-a'));
          const pod = await target.node.pod('git-a');
          return (refused.test(events) || pod?.status?.phase !== 'Pending') && (pod?.status?.phase ?? 'gone');
        },
        { withinMs: 30_000 },
      )
      .catch(() => 'silent');
    for (const { name } of volumes) await target.node.delete(`git-${name}`);
    return { ran: existsSync(proof), phase: said };
  },
  harms: ({ ran, phase }) => [
    ...(ran ? ['a hook of the repository ran on the machine'] : []),
    ...(phase === 'silent' ? ['nothing says what became of the pod'] : []),
  ],
  weak: [
    { ran: true, phase: 'Running' },
    { ran: false, phase: 'silent' },
  ],
});

interface Checked {
  readonly file: string;
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

const checkWithinSeconds = 20;

export const assemblyFiles = attack<{
  readonly honest: number;
  readonly checks: readonly Checked[];
  readonly ran: boolean;
}>({
  name: 'assembly-files',
  tries:
    'assembly files with `__proto__`, YAML bombs, nesting, modules that are data, folders, devices or missing, and needs that are left out',
  mustNot: 'one is taken, its refusal lacks a reason, takes long, or runs what the file only mentions',
  pastFault: 'files that choose code: prototype pollution, CVE-2019-11253 class',
  attempt: async (target) => {
    if (!target.ours) throw new NotApplicable('this kubelet has no assembly file');
    const proof = path.join(target.dir, 'module-ran');
    const text = (modules: string): string =>
      `apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules:\n${modules}\n`;
    await writeFile(
      path.join(target.dir, 'plain.mjs'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(proof)}, '');\nexport default {};\n`,
    );
    const files: Readonly<Record<string, string>> = {
      'proto.yaml': text(`  - name: '@podwright/pleg'\n    config: { __proto__: { polluted: true } }`),
      'proto.json': `{"apiVersion":"assembly.podwright.dev/v1alpha1","kind":"Assembly","__proto__":{"modules":[]},"modules":[{"name":"__proto__","config":{}}]}`,
      'constructor.yaml': text(`  - name: constructor\n    config: { a: 1 }`),
      'bomb.yaml': `a: &a [x, x]\n${Array.from(
        { length: 30 },
        (_, index) =>
          `b${index}: &b${index} [${Array(9)
            .fill(index === 0 ? '*a' : `*b${index - 1}`)
            .join(', ')}]`,
      ).join('\n')}\n`,
      'deep.yaml': `modules: ${'['.repeat(50_000)}`,
      'needed.yaml': text(`  - omit: '@podwright/pleg'`),
      'missing.yaml': text(`  - replace: '@podwright/pleg'\n    with: './no-such-module.mjs'`),
      'folder.yaml': text(`  - replace: '@podwright/pleg'\n    with: '/etc'`),
      'device.yaml': text(`  - replace: '@podwright/pleg'\n    with: '/dev/null'`),
      'passwd.yaml': text(`  - replace: '@podwright/pleg'\n    with: '/etc/passwd'`),
      'data-url.yaml': text(`  - replace: '@podwright/pleg'\n    with: 'data:text/javascript,throw 1'`),
      'unknown.yaml': text(`  - name: '@podwright/pleg'\n    note: './plain.mjs'`),
      'kind.yaml': 'apiVersion: v1\nkind: Pod\n',
    };
    const [program, ...first] = programCommand(target.node.kubelet.executable);
    const check = async (file: string): Promise<Checked> => {
      const startedMs = performance.now();
      const { code, stdout, stderr } = await tryCommand(program, [...first, 'assembly', 'check', '--assembly', file]);
      return {
        file: path.basename(file),
        code: code ?? -1,
        output: `${stdout}${stderr}`,
        seconds: (performance.now() - startedMs) / 1000,
      };
    };
    const checks: Checked[] = [];
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(target.dir, name);
      await writeFile(file, content);
      checks.push(await check(file));
    }
    const honest = path.join(target.dir, 'honest.yaml');
    await writeFile(honest, text(`  - name: '@podwright/pleg'\n    config: { relistPeriodMs: 1000 }`));
    return { honest: (await check(honest)).code, checks, ran: existsSync(proof) };
  },
  harms: ({ honest, checks, ran }) => [
    ...(honest === 0 ? [] : ['an honest file is refused as well, so the refusals prove nothing']),
    ...checks.flatMap(({ file, code, output, seconds }) => [
      ...(code === 0 ? [`${file} was taken`] : []),
      ...(code < 0 || /^\s+at .*\(.*:\d+:\d+\)$/m.test(output) || output.trim() === ''
        ? [`${file} got no clear refusal: ${output.slice(0, 200)}`]
        : []),
      ...(seconds > checkWithinSeconds ? [`${file} took ${seconds.toFixed(0)} s`] : []),
    ]),
    ...(ran ? ['a file that is only mentioned was run'] : []),
  ],
  weak: [
    { honest: 0, checks: [{ file: 'a', code: 0, output: 'ok', seconds: 1 }], ran: false },
    { honest: 0, checks: [{ file: 'a', code: 1, output: '', seconds: 1 }], ran: false },
    { honest: 0, checks: [{ file: 'a', code: 1, output: 'no', seconds: 100 }], ran: false },
    { honest: 0, checks: [], ran: true },
    { honest: 1, checks: [], ran: false },
  ],
});
