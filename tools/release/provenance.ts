import type { Artefact } from './artefact.js';

/** Where and from what a release was made. */
export interface BuildFacts {
  readonly commit: string;
  /** Address of the repository without credentials; absent in a clone without a remote. */
  readonly repository?: string;
  /** Who runs the build: the service's address of the run, or `urn:podwright:builder:workstation`. */
  readonly builder: string;
  readonly nodeVersion: string;
  readonly platform: string;
  readonly startedOn: string;
  readonly finishedOn: string;
  /** What went in beside the sources: the lock file, which pins every package, and the Node.js of the executables. */
  readonly materials: readonly { readonly name: string; readonly digest: Readonly<Record<string, string>> }[];
}

/** An in-toto statement with a SLSA v1 provenance of the artefacts. It is not signed; npm signs its own in a CI service. */
export function provenanceStatement(artefacts: readonly Artefact[], facts: BuildFacts): Record<string, unknown> {
  const { commit, repository = 'urn:podwright:repository', builder } = facts;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artefacts.map(({ name, sha256, sha512 }) => ({ name, digest: { sha256, sha512 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:podwright:build:npm-run-release:v1',
        externalParameters: { commit },
        internalParameters: { node: facts.nodeVersion, platform: facts.platform },
        resolvedDependencies: [
          { name: 'sources', uri: `git+${repository}@${commit}`, digest: { gitCommit: commit } },
          ...facts.materials,
        ],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { startedOn: facts.startedOn, finishedOn: facts.finishedOn },
      },
    },
  };
}

/** The builder's identity: a CI service names its run; else the machine of a person. */
export function builderOf(env: Readonly<Record<string, string | undefined>>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env;
  if (server !== undefined && repository !== undefined && run !== undefined) {
    return `${server}/${repository}/actions/runs/${run}`;
  }
  return job ?? 'urn:podwright:builder:workstation';
}

/** Whether npm can prove to a registry where it runs, and so sign the provenance of what it publishes. */
export function npmCanSign(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['ACTIONS_ID_TOKEN_REQUEST_URL'] !== undefined || env['SIGSTORE_ID_TOKEN'] !== undefined;
}
