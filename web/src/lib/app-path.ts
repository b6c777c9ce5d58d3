/**
 * The path as one of this app: browsers read `//host` and `/\host` as the address of another site, and the router refuses to go
 * there.
 */
export function appPath(path: string): string {
  return path.replace(/^[/\\]*/, '/')
}
