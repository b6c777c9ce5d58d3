// What a request may ask for that this service does not do: refused rather than ignored. docs/protocol.md lists it.
import { storageErrors } from './errors.ts'

type Body = Record<string, unknown>

const VERSIONS = 'Object versioning'
const isGiven = (value: unknown) => value !== undefined && value !== null
const isOther = (value: unknown, usual: string) => isGiven(value) && value !== usual

const FEATURES: readonly [feature: string, isAskedFor: (body: Body) => boolean][] = [
  ['Image transformation', ({ transform }) => isGiven(transform)],
  [VERSIONS, ({ versionId, sourceVersionId }) => isGiven(versionId) || isGiven(sourceVersionId)],
  [VERSIONS, ({ versioning_status: status }) => isOther(status, 'DISABLED')],
  [VERSIONS, ({ noncurrentVersions }) => isOther(noncurrentVersions, 'exclude')],
  [VERSIONS, ({ deleteMarkers }) => isOther(deleteMarkers, 'exclude')],
  [VERSIONS, ({ prefixes }) => Array.isArray(prefixes) && prefixes.some(isObject)],
  ['This type of bucket', ({ type }) => isOther(type, 'STANDARD')],
]

/** @throws NotSupported when a JSON body asks for something unsupported */
export function rejectUnsupportedBody(body: unknown): void {
  if (!isObject(body)) return
  for (const [feature, isAskedFor] of FEATURES)
    if (isAskedFor(body)) throw storageErrors.notSupported(feature)
}

/** @throws NotSupported for an address that names a version of an object */
export function rejectVersionInAddress({ searchParams }: URL): void {
  if (searchParams.has('versionId')) throw storageErrors.notSupported(VERSIONS)
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
