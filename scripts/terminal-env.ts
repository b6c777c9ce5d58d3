/** The environment of a terminal: a small run that a test starts must not notice the large one, nor this repository. */
export const terminalEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST|GIT_)/.test(name)),
)
