/** What the protocol leaves to the runtime, where runtimes in use differ from containerd; each name with its meaning. */
export const runtimeDifferences = {
  'repeated-creation-answers-the-first':
    'A repeated creation of a sandbox or container is no failure: it answers with the id of the first until that one is removed.',
  'streams-check-late':
    'Addresses of streams are given for any target; the stream itself fails if the target is unknown.',
  'errors-without-code':
    'Failures for unknown sandboxes and images, and most of those for unknown containers, have no code where containerd says not-found.',
  'commands-in-created-containers':
    'A command for a container that is created and not started gets an answer instead of a failure.',
  'late-commands-answer':
    'A command that takes too long answers with exit code -1 and "command timed out" as its error output, where containerd fails with deadline-exceeded.',
  'lists-show-runtime-creation':
    'Lists of containers show when the low-level runtime created the container, statuses when the record was made.',
} as const;

export type RuntimeDifference = keyof typeof runtimeDifferences;
