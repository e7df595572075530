/**
 * A script in the place of runc, for what CRI-O has no settings for. It brings runc's libraries, which conmon does not
 * pass on. Without CAP_SYS_RESOURCE it raises OOM scores to the lowest one that this machine allows, and takes that
 * capability from privileged containers. It leaves out limits of huge pages where no hugetlb controller is mounted.
 * runc would fail otherwise.
 */
export function renderRuncScript(options: {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hugetlb: boolean;
  /** Undefined with CAP_SYS_RESOURCE. */
  readonly lowestOomScoreAdj: number | undefined;
}): string {
  const { program, env, hugetlb, lowestOomScoreAdj } = options;
  // CRI-O indents its JSON, so a list has several lines; sed -z takes the file as one.
  const edits = [
    ...(lowestOomScoreAdj === undefined
      ? []
      : [`s/("oomScoreAdj": ?)-[0-9]+/\\1${lowestOomScoreAdj}/`, ...withoutCapability]),
    ...(hugetlb ? [] : ['s/("hugepageLimits": ?)\\[[^]]*\\]/\\1[]/']),
  ];
  const adapt = [
    'last=',
    'for argument do',
    '  case $last in',
    '    --bundle | -b) file=$argument/config.json ;;',
    '    --process | -p) file=$argument ;;',
    '    *) file= ;;',
    '  esac',
    `  if [ -f "$file" ]; then sed -i -z -E '${edits.join(';')}' "$file"; fi`,
    '  last=$argument',
    'done',
  ];
  return [
    '#!/bin/sh',
    ...Object.entries(env).map(([name, value]) => `export ${name}='${value}'`),
    ...(edits.length === 0 ? [] : adapt),
    `exec '${program}' "$@"`,
    '',
  ].join('\n');
}

// The last of a list has no comma after it.
const withoutCapability = ['s/,\\s*"CAP_SYS_RESOURCE"//g', 's/"CAP_SYS_RESOURCE",?//g'];
