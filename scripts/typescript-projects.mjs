/** The folders with a tsconfig.json; together they hold every file. */
export const PROJECTS = ['.', 'web', 'web/src/service-worker', 'e2e']
